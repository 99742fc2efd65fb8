import { assertEligible, type EligibleClaim } from '../claim/eligible-claim.ts';
import type { Entrant } from '../claim/figures.ts';

/**
 * Who did better, in one sentence. The only place where that is ever said, and it takes what only the policy makes.
 * @throws Error for a claim that was not found eligible.
 */
export function competitiveSentence(claim: EligibleClaim): string {
  assertEligible(claim);
  const { comparison, scope, worlds } = claim;
  const { first, second, templates, better } = comparison;
  const onWhat = `on ${templates} tasks (${worlds.join(', ')}), and speaks of ${scope}`;
  const test = `p = ${comparison.p_adjusted.toPrecision(2)} after Holm`;
  const smallest = `${points(comparison.smallest_detectable)} is the smallest difference that they can show`;
  if (better === null) {
    return `Between ${name(first)} and ${name(second)} no difference was shown: ${points(comparison.difference)}, ${test}; ${smallest}. Measured ${onWhat}.`;
  }
  const [winner, other] = better === 'first' ? [first, second] : [second, first];
  const gap = points(Math.abs(comparison.difference));
  return `${name(winner)} passed more than ${name(other)}: by ${gap}, ${test}; ${smallest}. Measured ${onWhat}.`;
}

function name({ agent, surface }: Entrant): string {
  return `${agent} through ${surface}`;
}

function points(share: number): string {
  return `${(share * 100).toFixed(1)} points`;
}
