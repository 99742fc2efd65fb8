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
 * A contract: a tree of assertions over captured evidence.
 * The kinds that have `seedFields` take OpenChrome's fields unchanged; fields beyond those are optional extensions.
 * The schema recurses as deep as its input does, so what a stranger wrote is parsed by `validateContract`.
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

/** A node that says something about evidence itself. */
export type Leaf = Exclude<Contract, { kind: 'and' | 'or' | 'not' }>;

/** The kinds of leaves, by the members that all of them have. */
interface LeafKind extends AssertionFacts<Leaf> {
  loosened(node: Leaf): Record<string, Tree<Leaf>>;
}

const BY_NAME: ReadonlyMap<string, LeafKind> = new Map(KINDS.map((kind) => [kind.schema.shape.kind.value, kind]));

/** @throws Error when there is no such kind, which no valid contract names. */
export function kindOf({ kind }: Pick<Leaf, 'kind'>): LeafKind {
  const found = BY_NAME.get(kind);
  if (found === undefined) throw new Error('there is no such kind of assertion');
  return found;
}

/** The fields that OpenChrome's contracts know, by kind; a suite that says `kinds: seed` may use no others. */
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

/** Whether a part of a contract is judged on a page that is loaded anew. */
export function asksForFresh(contract: Contract): boolean {
  return leavesIn(contract).some((leaf) => kindOf(leaf).asksForFresh(leaf));
}
