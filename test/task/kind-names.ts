import { KINDS } from '../../src/contract/kinds.ts';

export const KIND_NAMES = [...KINDS.map(({ schema }) => schema.shape.kind.value), 'and', 'or', 'not'].join(', ');
