import type { FiguredRow } from './figured-row.ts';
import { apartByManifest } from './by-manifest.ts';
import { type Comparison, compareAll } from './comparison.ts';
import { type ClaimFacts, type Decision, decide } from './eligibility.ts';
import { type EligibleClaim, eligibleClaim } from './eligible-claim.ts';
import { type Entrant, entrantName } from './figures.ts';
import { AXES, HEADLINE_AXES, type HeadlineAxis, POLICY } from './policy.ts';
import { type SpendingFigures, spendingOf } from './spending.ts';
import { type SuccessFigures, successOf } from './success.ts';
import { smallestDetectable } from '../stats/smallest-detectable.ts';
import { distinct, templateOf } from './group.ts';

/** What a campaign lets one say, and what not. Drawn from rows, plan, pins and verification alone. */
export interface Claims {
  policy: typeof POLICY;
  axes: typeof AXES;
  /** The smallest difference of success rates that the plan can show; null of a plan without episodes. */
  smallest_detectable: number | null;
  entrants: EntrantClaims[];
  /** Of every axis that the plan has something of; its decision says of which. */
  comparisons: (Comparison & { decision: Decision })[];
  /** About each entrant over all tasks, on the axes beside task completion that the plan has something of. */
  other_axes: Decision[];
}

export interface EntrantClaims extends Entrant {
  success: SuccessFigures;
  spending: SpendingFigures;
  aggregate: Decision;
  per_task: Decision;
}

export interface DrawnClaims {
  claims: Claims;
  /** Those comparisons that may be printed as who did better. */
  eligible: EligibleClaim[];
}

/** What claims follow from, by axis; null where the plan has nothing of it. */
export type FactsByAxis = { task_completion: ClaimFacts } & Record<HeadlineAxis, ClaimFacts | null>;

/** @param seed of the plan; what is drawn at random follows from it. */
export function drawClaims(all: FactsByAxis, seed: number): DrawnClaims {
  const completion = apart(all.task_completion);
  const axes = HEADLINE_AXES.flatMap((axis) => {
    const facts = all[axis];
    return facts === null ? [] : [{ axis, ...apart(facts) }];
  });
  const judged = axes.flatMap(({ axis, facts, entrants }) =>
    compareAll(axis, facts.rows, entrants, seed).map(({ comparison, rows, apart: voided }) => ({
      comparison,
      ...eligibleClaim(axis, comparison, { ...facts, rows, voided: [...facts.voided, ...voided] }),
    })),
  );
  const { rows, plan } = completion.facts;
  const templates = distinct(rows, templateOf).size;
  return {
    claims: {
      policy: POLICY,
      axes: AXES,
      smallest_detectable: smallestDetectable(templates, templates === 0 ? 0 : plan.episodes_each / templates),
      entrants: completion.entrants.map((entrant) => entrantClaims(entrant, completion.facts, seed)),
      comparisons: judged.map(({ comparison, decision }) => ({ ...comparison, decision })),
      other_axes: axes.flatMap(({ axis, facts, entrants }) =>
        axis === 'task_completion'
          ? []
          : entrants.map((entrant) => decide({ kind: 'aggregate', axis, entrants: [entrant] }, facts)),
      ),
    },
    eligible: judged.flatMap(({ claim }) => (claim === null ? [] : [claim])),
  };
}

/** Entrants that are kept apart by what they met, and the facts with their rows. */
function apart(facts: ClaimFacts): { facts: ClaimFacts; entrants: readonly Entrant[] } {
  const { rows, entrants } = apartByManifest(facts.rows, facts.plan.entrants);
  return { facts: { ...facts, rows }, entrants };
}

function entrantClaims({ agent, surface }: Entrant, facts: ClaimFacts, seed: number): EntrantClaims {
  const entrant = { agent, surface };
  const own: FiguredRow[] = facts.rows.filter((row) => entrantName(row) === entrantName(entrant));
  const question = { axis: 'task_completion', entrants: [entrant] } as const;
  return {
    ...entrant,
    success: successOf(own),
    spending: spendingOf(own, seed),
    aggregate: decide({ ...question, kind: 'aggregate' }, facts),
    per_task: decide({ ...question, kind: 'per_task' }, facts),
  };
}
