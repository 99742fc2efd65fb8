import { assertEligible, type EligibleClaim } from '../claim/eligible-claim.ts';
import type { Entrant } from '../claim/figures.ts';

/**
 * Who did better, in one sentence. The only place where that is ever said, and it takes what only the policy makes.
 * @throws Error for a claim that was not found eligible.
 */
export function competitiveSentence(claim: EligibleClaim): string {
  assertEligible(claim);
  const { comparison, scope, worlds, waivers } = claim;
  const { first, second, templates, better } = comparison;
  const onWhat = `on ${templates} tasks (${worlds.join(', ')}), and speaks of ${scope}${waivers.map(waiverText).join('')}`;
  const test = `p = ${comparison.p_adjusted.toPrecision(2)} after Holm`;
  const smallest = `${points(comparison.smallest_detectable)} is the smallest difference that they can show`;
  if (better === null) {
    return `Between ${name(first)} and ${name(second)} no difference was shown: ${points(comparison.difference)}, ${test}; ${smallest}. Measured ${onWhat}.`;
  }
  const [winner, other] = better === 'first' ? [first, second] : [second, first];
  const gap = points(Math.abs(comparison.difference));
  return `${name(winner)} passed more than ${name(other)}: by ${gap}, ${test}; ${smallest}. Measured ${onWhat}.`;
}

/** A waiver has a form in which nothing can be markup. */
function waiverText({ task, mutant, reason }: EligibleClaim['waivers'][number]): string {
  return `; waived of ${task}: ${mutant}, because ${reason}`;
}

function name({ agent, surface }: Entrant): string {
  return `${agent} through ${surface}`;
}

function points(share: number): string {
  return `${(share * 100).toFixed(1)} points`;
}
