import type { WaivedMutant } from '../claim/claim-facts.ts';
import type { Decision, Grade, Reason } from '../claim/eligibility.ts';
import { entrantName } from '../claim/figures.ts';
import { cellText, groupBy } from '../claim/group.ts';
import { type HeadlineAxis, POLICY } from '../claim/policy.ts';
import { messageFor, remedyOf } from '../messages/messages.ts';
import { percent } from './numbers.ts';
import type { Report } from './report.ts';
import { entrantText } from './title.ts';

/** Name the entrants of a decision: `a through s, b through t`. */
export function namesIn({ question }: Decision): string {
  return question.entrants.map(entrantText).join(', ');
}

/** The decisions on an axis about each entrant alone. */
export function decisionsOn({ entrants, other_axes: others }: Report['claims'], axis: HeadlineAxis): Decision[] {
  return [...entrants.map(({ aggregate }) => aggregate), ...others].filter(({ question }) => question.axis === axis);
}

/** From the grade that says most to the one that says least. */
export const BY_WORTH: readonly Grade[] = ['primary', 'diagnostic', 'smoke', 'scaffold'];

/** The grade that says most of those that were given. */
export function bestGrade(decisions: readonly Decision[]): Grade {
  return BY_WORTH.find((each) => decisions.some(({ grade }) => grade === each)) ?? 'scaffold';
}

/** Pairs that may not be compared, though these reasons apply to neither entrant alone. */
export interface BarredComparisons {
  /** `a through s, b through t` */
  pairs: string[];
  reasons: Reason[];
}

/** Those of an axis; pairs against which the same stands are together. */
export function barredComparisons(claims: Report['claims'], axis: HeadlineAxis): BarredComparisons[] {
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

/** Say whose times may be claimed; where nobody's may since episodes shared the machine, that, and what lifts it. */
export function timeClaimText({ other_axes: others }: Report['claims']): string {
  const decisions = others.filter(({ question }) => question.axis === 'time_per_success');
  const primary = decisions.filter(({ grade }) => grade === 'primary');
  if (primary.length > 0) return `Time per success may be claimed of ${primary.map(namesIn).join(', ')}.`;
  const shared = decisions.flatMap(({ reasons }) => reasons).find(({ code }) => code === 'ran_at_once');
  if (shared === undefined) return 'No time may be claimed, for the reasons that stand against other claims.';
  return `No time may be claimed: ${messageFor(shared)}. To lift it: ${remedyOf(shared)}.`;
}

/** List what was waived in the proofs that claims on an axis rest on, each once. */
export function waiversOn(claims: Report['claims'], axis: HeadlineAxis): WaivedMutant[] {
  const waivers = decisionsOn(claims, axis).flatMap((decision) => decision.waivers);
  return [...new Map(waivers.map((waiver) => [JSON.stringify(waiver), waiver])).values()];
}

/** Say how often the contracts that claims on an axis rest on may pass what is not right; null where no proof tells. */
export function falsePassText(claims: Report['claims'], axis: HeadlineAxis): string | null {
  const [worst] = decisionsOn(claims, axis)
    .map(({ false_passes: found }) => found)
    .toSorted((a, b) => (b.upper ?? 0) - (a.upper ?? 0));
  if (worst === undefined || worst.upper === null) return null;
  const { judged, passed, upper, passed_in: where } = worst;
  const of = where === undefined ? '' : ` (of ${where.map(cellText).join(', ')})`;
  return `Of ${judged} end states that were made wrong on purpose in the proofs of these tasks, ${passed} passed${of}. So few trials cannot rule out that up to ${percent(upper)} % of such ends pass (95 %).`;
}

/** Grade the figures of each task: entrants of one grade against whom the same stands are together. */
export interface TaskGrade {
  grade: Decision['grade'];
  /** `a through s, b through t` */
  names: string;
  codes: string[];
}

export function taskGrades({ entrants }: Report['claims']): TaskGrade[] {
  const decisions = entrants.map((entrant) => entrant.per_task);
  const alike = groupBy(decisions, (decision) => `${decision.grade} ${codesOf(decision).join(' ')}`);
  return [...alike.values()].flatMap((same) =>
    same.slice(0, 1).map((decision) => ({
      grade: decision.grade,
      names: same.map(namesIn).join(', '),
      codes: codesOf(decision),
    })),
  );
}

function codesOf({ reasons }: Decision): string[] {
  return reasons.map(({ code }) => code);
}

/** The requirements of the grades of tasks. */
export const TASK_GRADE_NOTE = `The figure of a single task may be published (primary) if it was repeated ${POLICY.least_repetitions.per_task} times and nothing else stands against it; one over all tasks takes ${POLICY.least_repetitions.aggregate} repetitions.`;
