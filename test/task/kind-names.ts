import { KINDS } from '../../src/contract/kinds.ts';

/** Lists every kind of assertion, as messages do. */
export const KIND_NAMES = [...KINDS.map(({ schema }) => schema.shape.kind.value), 'and', 'or', 'not'].join(', ');
