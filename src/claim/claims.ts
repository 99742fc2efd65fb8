import type { FiguredRow } from './figured-row.ts';
import { apartByManifest } from './by-manifest.ts';
import { type Comparison, compareAll } from './comparison.ts';
import { type ClaimFacts, type Decision, decide } from './eligibility.ts';
import { type EligibleClaim, eligibleClaim } from './eligible-claim.ts';
import { type Entrant, entrantName } from './figures.ts';
import { AXES, POLICY } from './policy.ts';
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
  comparisons: (Comparison & { decision: Decision })[];
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

/** @param seed of the plan; what is drawn at random follows from it. */
export function drawClaims(all: ClaimFacts, seed: number): DrawnClaims {
  const { plan } = all;
  const { rows, entrants } = apartByManifest(all.rows, plan.entrants);
  const facts = { ...all, rows };
  const judged = compareAll(rows, entrants, seed).map((comparison) => ({
    comparison,
    ...eligibleClaim(comparison, facts),
  }));
  const templates = distinct(rows, templateOf).size;
  return {
    claims: {
      policy: POLICY,
      axes: AXES,
      smallest_detectable: smallestDetectable(templates, templates === 0 ? 0 : plan.episodes_each / templates),
      entrants: entrants.map((entrant) => entrantClaims(entrant, facts, seed)),
      comparisons: judged.map(({ comparison, decision }) => ({ ...comparison, decision })),
    },
    eligible: judged.flatMap(({ claim }) => (claim === null ? [] : [claim])),
  };
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
