import type { Comparison } from './comparison.ts';
import type { ClaimFacts } from './claim-facts.ts';
import { type Decision, decide } from './eligibility.ts';
import { isOf } from './figures.ts';
import type { FiguredRow } from './figured-row.ts';
import { clusterCount, distinct } from './group.ts';
import type { HeadlineAxis } from './policy.ts';

/** Makes claims unforgeable: no other module has this key. */
const ELIGIBLE: unique symbol = Symbol('eligible');

/** A comparison that may be printed as a headline. Only {@link eligibleClaim} makes one. */
export interface EligibleClaim {
  readonly [ELIGIBLE]: true;
  readonly axis: HeadlineAxis;
  readonly comparison: Comparison;
  readonly scope: Decision['scope'];
  /** For example `fixture_app`. */
  readonly worlds: readonly string[];
  /** The kind of fault, or the way of signing in. */
  readonly under: readonly string[];
  /** Tasks that were run for it, with copies as one; those that count for both were compared. */
  readonly templates: number;
  readonly waivers: Decision['waivers'];
  /** The highest of each cap. */
  readonly caps: Pick<FiguredRow['caps'], CapName>;
}

/**
 * Makes a claim from a comparison if the policy allows it.
 * @param facts with the rows that were compared
 */
export function eligibleClaim(
  axis: HeadlineAxis,
  comparison: Comparison,
  facts: ClaimFacts,
): { decision: Decision; claim: EligibleClaim | null } {
  const { first, second } = comparison;
  const decision = decide({ kind: 'comparison', axis, entrants: [first, second] }, facts);
  if (decision.grade !== 'primary') return { decision, claim: null };
  const own = facts.rows.filter((row) => isOf(first, row) || isOf(second, row));
  const worlds = [...distinct(own, (row) => row.world_kind)];
  const templates = clusterCount([...own, ...facts.voided, ...facts.oneSided]);
  const { scope, waivers } = decision;
  return {
    decision,
    claim: {
      [ELIGIBLE]: true,
      axis,
      comparison,
      scope,
      worlds,
      under: underIn(axis, own),
      templates,
      waivers,
      caps: highestCaps(own),
    },
  };
}

function underIn(axis: HeadlineAxis, rows: readonly FiguredRow[]): string[] {
  if (axis === 'task_completion') return [];
  if (axis === 'authentication') return [...new Set(rows.flatMap(({ auth }) => auth?.by ?? []))];
  return [...new Set(rows.flatMap(({ faults }) => faults.map(({ kind }) => kind)))];
}

type CapName = 'steps' | 'turns' | 'wall_ms' | 'cost_usd';

function highestCaps(rows: readonly FiguredRow[]): EligibleClaim['caps'] {
  const highest = (name: CapName): number => rows.reduce((most, { caps }) => Math.max(most, caps[name] ?? 0), 0);
  return {
    steps: highest('steps'),
    turns: highest('turns'),
    wall_ms: highest('wall_ms'),
    cost_usd: highest('cost_usd'),
  };
}

/** @throws Error for a claim from a cast or from JSON */
export function assertEligible(claim: EligibleClaim): void {
  if (!(ELIGIBLE in claim)) throw new Error('this claim was not found eligible');
}
