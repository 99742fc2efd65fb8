import { assertEligible, type EligibleClaim } from '../claim/eligible-claim.ts';
import { cellText } from '../claim/group.ts';
import type { HeadlineAxis } from '../claim/policy.ts';
import { entrantText } from './entrant-text.ts';

/** Name, in words, what the better entrant did. */
const DID_MORE = {
  task_completion: 'passed more than',
  fault_recovery: 'recovered from more of the same faults than',
  authentication: 'passed more behind a login than',
} as const satisfies Record<HeadlineAxis, string>;

/** About what nothing was shown. */
const ABOUT = {
  task_completion: '',
  fault_recovery: ' in recovering from the same faults',
  authentication: ' behind a login',
} as const satisfies Record<HeadlineAxis, string>;

/**
 * Who did better, in one sentence. The only place where that is ever said, and it takes what only the policy makes.
 * @throws Error for a claim that was not found eligible.
 */
export function competitiveSentence(claim: EligibleClaim): string {
  assertEligible(claim);
  const { axis, comparison, scope, worlds, under, waivers } = claim;
  const { first, second, templates, better, other_web: left } = comparison;
  const tasks = claim.templates === templates ? `${templates} tasks` : `${templates} of ${claim.templates} tasks`;
  const without =
    left === undefined ? '' : ` without ${left} pairs of episodes in which they did not meet the same web`;
  const onWhat = `on ${tasks} (${[...worlds, ...under].join(', ')})${without}, and speaks of ${scope}${waivers.map(waiverText).join('')}`;
  const test = `p = ${comparison.p_adjusted.toPrecision(2)} after Holm`;
  const { smallest_detectable: least } = comparison;
  const smallest =
    least === null ? 'they can show none' : `${points(least)} is the smallest difference that they can show`;
  if (better === null) {
    return `Between ${entrantText(first)} and ${entrantText(second)} no difference${ABOUT[axis]} was shown: ${points(comparison.difference)}, ${test}; ${smallest}. Measured ${onWhat}.`;
  }
  const [winner, other] = better === 'first' ? [first, second] : [second, first];
  const gap = points(Math.abs(comparison.difference));
  return `${entrantText(winner)} ${DID_MORE[axis]} ${entrantText(other)}: by ${gap}, ${test}; ${smallest}. Measured ${onWhat}.`;
}

/** A waiver has a form in which nothing can be markup. */
function waiverText({ task, mutant, reason }: EligibleClaim['waivers'][number]): string {
  return `; waived of ${cellText(task)}: ${mutant}, because ${reason}`;
}

function points(share: number): string {
  return `${(share * 100).toFixed(1)} points`;
}
