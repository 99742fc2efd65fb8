import { z } from 'zod';
import { KINDS } from './kinds.ts';
import type { TaskContracts } from './judge-task.ts';
import { mutantsOf } from './mutants.ts';
import { kindOf, leavesIn } from './schema.ts';

/** Raised by one when the same contract and evidence give another judgement though no kind of assertion does. */
const CONTRACT_VERSION = 1;

/** Versions of each kind of assertion, and of what all contracts share, as `contract`. */
export const Semantics = z.record(z.string(), z.int().min(1));
export type Semantics = z.infer<typeof Semantics>;

/** The current versions. `test/contract/golden.test.ts` requires that no judgement changes without one. */
export const SEMANTICS: Readonly<Semantics> = {
  contract: CONTRACT_VERSION,
  ...Object.fromEntries(KINDS.map(({ schema, version }) => [schema.shape.kind.value, version])),
};

/** The versions that a proof of a task's contracts rests on, those of its mutants included. */
export function semanticsOf(task: TaskContracts): Semantics {
  const all = [task, ...mutantsOf(task).map(({ contracts }) => contracts)];
  const contracts = all.flatMap(({ success, guards }) => (guards === undefined ? [success] : [success, guards]));
  const kinds = contracts.flatMap(leavesIn).map((leaf) => {
    const kind = kindOf(leaf);
    return [leaf.kind, kind.versionOf?.(leaf) ?? kind.version] as const;
  });
  // The highest version of a kind is the last, and so counts.
  const sorted = kinds.toSorted(([a, one], [b, other]) => (a === b ? one - other : a < b ? -1 : 1));
  return { contract: CONTRACT_VERSION, ...Object.fromEntries(sorted) };
}
