import type { Claims } from '../claim/claims.ts';
import { groupBy } from '../claim/group.ts';
import { type HeadlineAxis, POLICY } from '../claim/policy.ts';
import { decisionsOn, namesIn, timeClaimText } from '../report/decisions.ts';
import { foundInWords, type StandingReason, standingReasons } from '../report/standing-reasons.ts';
import { canClaim } from './foreseen-claims.ts';
import { counted } from '../report/numbers.ts';

const AXES: readonly HeadlineAxis[] = ['task_completion', 'fault_recovery', 'authentication'];

/** Say in a line what of a plan could become primary, and how much stands against the rest. */
export function foreseenSum(claims: Claims): string {
  const axes = AXES.filter((axis) => decisionsOn(claims, axis).length > 0);
  const standing = axes.map((axis) => standingReasons(claims, axis));
  const against = standing.reduce((sum, { alone, compared }) => sum + alone.length + compared.length, 0);
  const rest =
    against === 0 ? '' : `; --claims lists ${counted(against, 'reason')} against ${canClaim(claims) ? 'more' : 'it'}`;
  return `${canClaim(claims) ? axes.map((axis) => shareOf(claims, axis)).join(', ') : 'nothing'}${rest}`;
}

/** The claims of a plan that could become primary, and each reason against the rest once, with whom it stands against and what lifts it. */
export function foreseenLines(claims: Claims): string[] {
  const lines = AXES.flatMap((axis) => {
    const decisions = decisionsOn(claims, axis);
    if (decisions.length === 0) return [];
    const { alone, compared } = standingReasons(claims, axis);
    return [
      `${axis.replaceAll('_', ' ')} (policy ${POLICY.version}): ${shareOf(claims, axis)} could be primary`,
      ...[...groupBy(decisions, ({ grade }) => grade)].map(
        ([grade, own]) => `  ${grade}: ${own.map(namesIn).join(', ')}`,
      ),
      ...alone.flatMap(listed),
      ...(compared.length === 0
        ? []
        : ['  against comparing two, and against neither alone:', ...compared.flatMap(listed)]),
    ];
  });
  return [...lines, `time per success (policy ${POLICY.version}): ${timeClaimText(claims)}`];
}

/** `1 of 2 entrants and 0 of 1 pair` */
function shareOf(claims: Claims, axis: HeadlineAxis): string {
  const decisions = decisionsOn(claims, axis);
  const pairs = claims.comparisons.flatMap(({ decision }) => (decision.question.axis === axis ? [decision] : []));
  const [entrants, compared] = [decisions, pairs].map((of) => of.filter(({ grade }) => grade === 'primary').length);
  return `${entrants} of ${counted(decisions.length, 'entrant')} and ${compared} of ${counted(pairs.length, 'pair')}`;
}

function listed(reason: StandingReason): string[] {
  const { code, remedy } = reason;
  return [`    ${code}: ${foundInWords(reason)}`, ...(remedy === null ? [] : [`      to lift it: ${remedy}`])];
}
