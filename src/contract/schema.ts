import { z } from 'zod';
import type { AssertionFacts, Tree } from './assertion-kind.ts';
import { KINDS } from './kinds.ts';
import { rule } from './validation/wording.ts';

const And = z.strictObject({
  kind: z.literal('and'),
  get children() {
    return z.array(Contract).min(1, rule('list_empty', { entry: 'assertion' }));
  },
});

const Or = z.strictObject({
  kind: z.literal('or'),
  get children() {
    return z.array(Contract).min(1, rule('list_empty', { entry: 'assertion' }));
  },
});

const Not = z.strictObject({
  kind: z.literal('not'),
  get child() {
    return Contract;
  },
});

const [FIRST, ...OTHERS] = KINDS;

/**
 * A tree of assertions over captured evidence. Kinds with `seedFields` take OpenChrome's fields unchanged; others are optional
 * extensions. The schema recurses as deep as its input, so untrusted input goes through `validateContract`.
 */
export const Contract = z.discriminatedUnion('kind', [
  FIRST.schema,
  ...OTHERS.map(({ schema }) => schema),
  And,
  Or,
  Not,
]);
export type Contract = z.infer<typeof Contract>;

export type ContractNode<K extends Contract['kind']> = Extract<Contract, { kind: K }>;

export type Leaf = Exclude<Contract, { kind: 'and' | 'or' | 'not' }>;

/** The members that all kinds of leaves have. */
interface LeafKind extends AssertionFacts<Leaf> {
  loosened(node: Leaf): Record<string, Tree<Leaf>>;
}

const BY_NAME: ReadonlyMap<string, LeafKind> = new Map(KINDS.map((kind) => [kind.schema.shape.kind.value, kind]));

/** @throws Error for an unknown kind, which no valid contract has. */
export function kindOf({ kind }: Pick<Leaf, 'kind'>): LeafKind {
  const found = BY_NAME.get(kind);
  if (found === undefined) throw new Error('there is no such kind of assertion');
  return found;
}

/** OpenChrome's fields by kind; a suite with `kinds: seed` may use no others. */
export const SEED_FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ...KINDS.flatMap(({ schema, seedFields }) =>
    seedFields === null ? [] : [[schema.shape.kind.value, seedFields] as const],
  ),
  ['and', ['kind', 'children']],
  ['or', ['kind', 'children']],
  ['not', ['kind', 'child']],
]);

export function leavesIn(contract: Contract): Leaf[] {
  if (contract.kind === 'and' || contract.kind === 'or') return contract.children.flatMap(leavesIn);
  return contract.kind === 'not' ? leavesIn(contract.child) : [contract];
}

export function asksForDownloads(contract: Contract): boolean {
  return leavesIn(contract).some(({ kind }) => kind === 'download');
}

export function asksForFresh(contract: Contract): boolean {
  return leavesIn(contract).some((leaf) => kindOf(leaf).asksForFresh(leaf));
}
