import type { WaivedMutant } from '../claim/claim-facts.ts';
import type { Decision, Grade, Reason } from '../claim/eligibility.ts';
import { entrantName } from '../claim/figures.ts';
import { cellText, groupBy } from '../claim/group.ts';
import type { HeadlineAxis } from '../claim/policy.ts';
import { messageFor, remedyOf } from '../messages/messages.ts';
import { percent } from './numbers.ts';
import type { Report } from './report.ts';
import { entrantText } from './title.ts';

/** `a through s, b through t` */
export function namesIn({ question }: Decision): string {
  return question.entrants.map(entrantText).join(', ');
}

export function decisionsOn({ entrants, other_axes: others }: Report['claims'], axis: HeadlineAxis): Decision[] {
  return [...entrants.map(({ aggregate }) => aggregate), ...others].filter(({ question }) => question.axis === axis);
}

/** From the strongest grade to the weakest. */
export const BY_WORTH: readonly Grade[] = ['primary', 'diagnostic', 'smoke', 'scaffold'];

export function bestGrade(decisions: readonly Decision[]): Grade {
  return BY_WORTH.find((each) => decisions.some(({ grade }) => grade === each)) ?? 'scaffold';
}

/** A reason against a claim, with all that was found of it. */
export interface StandingReason {
  code: Reason['code'];
  /** Lifts it, as an order. */
  remedy: string | null;
  found: { text: string; entrants: string }[];
}

/** The reasons against claims about one entrant, and those that apply only to comparing two. */
export function standingReasons(
  claims: Report['claims'],
  axis: HeadlineAxis,
): { alone: StandingReason[]; compared: StandingReason[] } {
  const decisions = decisionsOn(claims, axis);
  return {
    alone: byCode(
      decisions.map((decision) => ({ reasons: decision.reasons, entrants: namesIn(decision) })),
      decisions.length,
    ),
    compared: byCode(
      barredComparisons(claims, axis).map(({ reasons, pairs }) => ({ reasons, entrants: pairs.join('; ') })),
    ),
  };
}

/** @param all the number of entrants; a reason against all of them names none. */
function byCode(barring: readonly { reasons: readonly Reason[]; entrants: string }[], all = 0): StandingReason[] {
  const found = barring.flatMap(({ reasons, entrants }) => reasons.map((reason) => ({ ...reason, entrants })));
  const sorted = found.toSorted((a, b) => a.code.localeCompare(b.code, 'en'));
  return [...groupBy(sorted, ({ code }) => code).values()].flatMap((same) =>
    same.slice(0, 1).map((reason) => ({
      code: reason.code,
      remedy: remedyOf(reason),
      found: [...groupBy(same, messageFor)].map(([text, own]) => ({
        text,
        entrants: own.length === all ? 'each entrant' : own.map(({ entrants }) => entrants).join('; '),
      })),
    })),
  );
}

/** Pairs on an axis that may not be compared for reasons that apply to neither entrant alone, grouped by these reasons. */
export function barredComparisons(
  claims: Report['claims'],
  axis: HeadlineAxis,
): { pairs: string[]; reasons: Reason[] }[] {
  const alone = decisionsOn(claims, axis);
  const barred = claims.comparisons.flatMap(({ decision }) => {
    if (decision.question.axis !== axis) return [];
    const pair = new Set(decision.question.entrants.map(entrantName));
    const own = alone.filter(({ question }) => question.entrants.every((each) => pair.has(entrantName(each))));
    const known = new Set(own.flatMap(({ reasons }) => reasons.map(({ code }) => code)));
    const reasons = decision.reasons.filter(({ code }) => !known.has(code));
    return reasons.length === 0 ? [] : [{ pair: namesIn(decision), reasons }];
  });
  return [...groupBy(barred, ({ reasons }) => JSON.stringify(reasons)).values()].flatMap((same) =>
    same.slice(0, 1).map(({ reasons }) => ({ pairs: same.map(({ pair }) => pair), reasons })),
  );
}

/** Names the entrants whose times may be claimed, or states that episodes shared the machine, with the remedy. */
export function timeClaimText({ other_axes: others }: Report['claims']): string {
  const decisions = others.filter(({ question }) => question.axis === 'time_per_success');
  const primary = decisions.filter(({ grade }) => grade === 'primary');
  if (primary.length > 0) return `Time per success may be claimed of ${primary.map(namesIn).join(', ')}.`;
  const shared = decisions.flatMap(({ reasons }) => reasons).find(({ code }) => code === 'ran_at_once');
  if (shared === undefined) return 'No time may be claimed, for the same reasons as above.';
  return `No time may be claimed: ${messageFor(shared)}. To lift it: ${remedyOf(shared)}.`;
}

/** The waivers in the proofs that claims on an axis rest on, each once. */
export function waiversOn(claims: Report['claims'], axis: HeadlineAxis): WaivedMutant[] {
  const waivers = decisionsOn(claims, axis).flatMap((decision) => decision.waivers);
  return [...new Map(waivers.map((waiver) => [JSON.stringify(waiver), waiver])).values()];
}

/** Bounds how often the contracts behind claims on an axis may pass an incorrect end; null if no proof tried one. */
export function falsePassText(claims: Report['claims'], axis: HeadlineAxis): string | null {
  const [worst] = decisionsOn(claims, axis)
    .map(({ false_passes: found }) => found)
    .toSorted((a, b) => (b.upper ?? 0) - (a.upper ?? 0));
  if (worst === undefined || worst.upper === null) return null;
  const { judged, passed, upper, passed_in: where } = worst;
  const of = where === undefined ? '' : ` (of ${where.map(cellText).join(', ')})`;
  return `Of ${judged} end states that were made wrong on purpose in the proofs of these tasks, ${passed} passed${of}. So few trials cannot rule out that up to ${percent(upper)} % of such ends pass (95 %).`;
}
