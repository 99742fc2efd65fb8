import { z } from 'zod';
import { Rate } from './figure-fields.ts';
import type { FiguredRow } from './figured-row.ts';
import { apartByManifest } from './by-manifest.ts';
import { Comparison, compareAll } from './comparison.ts';
import type { ClaimFacts } from './claim-facts.ts';
import { Decision, decide } from './eligibility.ts';
import { type EligibleClaim, eligibleClaim } from './eligible-claim.ts';
import { Entrant, isOf } from './figures.ts';
import { AXES, Axes, type HeadlineAxis, POLICY, Policy } from './policy.ts';
import { SpendingFigures, spendingOf } from './spending.ts';
import { SuccessFigures, successOf } from './success.ts';
import { smallestShown } from './smallest-shown.ts';

const EntrantClaims = z.strictObject({
  ...Entrant.shape,
  success: SuccessFigures,
  spending: SpendingFigures,
  aggregate: Decision,
  per_task: Decision,
});
export type EntrantClaims = z.infer<typeof EntrantClaims>;

/** All claims of a campaign, from its rows, plan, pins and verification alone. */
export const Claims = z.strictObject({
  policy: Policy,
  axes: Axes,
  /** The smallest difference of fault-free success rates that two entrants can show; null if none can. */
  smallest_detectable: Rate.nullable(),
  entrants: z.array(EntrantClaims),
  /** For each axis of the plan; the decision names it. */
  comparisons: z.array(z.strictObject({ ...Comparison.shape, decision: Decision })),
  /** About each entrant over all tasks, on the other axes of the plan. */
  other_axes: z.array(Decision),
});
export type Claims = z.infer<typeof Claims>;

export interface DrawnClaims {
  claims: Claims;
  /** Comparisons that may be printed as headlines. */
  eligible: EligibleClaim[];
}

/** Null: the plan has nothing on the axis. */
export type FactsByAxis = { task_completion: ClaimFacts } & Record<HeadlineAxis, ClaimFacts | null>;

const OTHERS = ['fault_recovery', 'authentication'] as const satisfies readonly HeadlineAxis[];

/** @param seed of all random draws */
export function drawClaims(all: FactsByAxis, seed: number): DrawnClaims {
  const completion = { axis: 'task_completion' as const, ...byManifest(all.task_completion) };
  const others = OTHERS.flatMap((axis) => {
    const facts = all[axis];
    return facts === null ? [] : [{ axis, ...byManifest(facts) }];
  });
  // If every task is behind a login, this axis is the same as task completion.
  const isPart = ({ axis, facts }: (typeof others)[number]): boolean =>
    axis !== 'authentication' || facts.plan.episodes_each < completion.facts.plan.episodes_each;
  const judged = [completion, ...others.filter(isPart)].flatMap(({ axis, facts, entrants }) =>
    compareAll(axis, facts.rows, entrants, seed).map(({ comparison, rows, oneSided }) => ({
      comparison,
      ...eligibleClaim(axis, comparison, { ...facts, rows, oneSided }),
    })),
  );
  return {
    claims: {
      policy: POLICY,
      axes: AXES,
      smallest_detectable: smallestShown(completion.facts.rows),
      entrants: completion.entrants.map((entrant) => entrantClaims(entrant, completion.facts, seed)),
      comparisons: judged.map(({ comparison, decision }) => ({ ...comparison, decision })),
      other_axes: [{ ...completion, axis: 'time_per_success' as const }, ...others].flatMap(
        ({ axis, facts, entrants }) =>
          entrants.map((entrant) => decide({ kind: 'aggregate', axis, entrants: [entrant] }, facts)),
      ),
    },
    eligible: judged.flatMap(({ claim }) => (claim === null ? [] : [claim])),
  };
}

function byManifest(facts: ClaimFacts): { facts: ClaimFacts; entrants: readonly Entrant[] } {
  const { rows, entrants } = apartByManifest(facts.rows, facts.plan.entrants);
  return { facts: { ...facts, rows }, entrants };
}

function entrantClaims({ agent, surface }: Entrant, facts: ClaimFacts, seed: number): EntrantClaims {
  const entrant = { agent, surface };
  const own: FiguredRow[] = facts.rows.filter((row) => isOf(entrant, row));
  const question = { axis: 'task_completion' as const, entrants: [entrant] };
  return {
    ...entrant,
    success: successOf(own),
    spending: spendingOf(own, seed),
    aggregate: decide({ ...question, kind: 'aggregate' }, facts),
    per_task: decide({ ...question, kind: 'per_task' }, facts),
  };
}
