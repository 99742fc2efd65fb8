import type { Claims } from '../claim/claims.ts';
import type { Reason } from '../claim/eligibility.ts';
import { groupBy } from '../claim/group.ts';
import { type HeadlineAxis, POLICY } from '../claim/policy.ts';
import { remedyOf } from '../claim/reasons.ts';
import { barredComparisons, decisionsOn, namesIn, timeClaimText } from '../report/decisions.ts';

const AXES: readonly HeadlineAxis[] = ['task_completion', 'fault_recovery', 'authentication'];

/** The claims of a plan that could become primary, and the reasons against the rest, each with what lifts it. Entrants against whom the same stands are named together. */
export function foreseenLines(claims: Claims): string[] {
  const lines = AXES.flatMap((axis) => {
    const decisions = decisionsOn(claims, axis);
    const pairs = claims.comparisons.filter(({ decision }) => decision.question.axis === axis);
    if (decisions.length === 0 && pairs.length === 0) return [];
    const [primary, barred] = [true, false].map((is) => decisions.filter(({ grade }) => (grade === 'primary') === is));
    const alike = groupBy(barred ?? [], ({ grade, reasons }) => JSON.stringify([grade, reasons]));
    const compared = pairs.filter(({ decision }) => decision.grade === 'primary').length;
    return [
      `${axis.replaceAll('_', ' ')} (policy ${POLICY.version}): ${primary?.length ?? 0} of ${decisions.length} entrants and ${compared} of ${pairs.length} pairs could be primary`,
      ...(primary ?? []).map((decision) => `  primary: ${namesIn(decision)}`),
      ...[...alike.values()].flatMap((same) =>
        same.slice(0, 1).flatMap(({ grade, reasons }) => listed(`${grade}: ${same.map(namesIn).join(', ')}`, reasons)),
      ),
      ...barredComparisons(claims, axis).flatMap(({ pairs: names, reasons }) =>
        listed(`not compared: ${names.join('; ')}`, reasons),
      ),
    ];
  });
  return [...lines, `time per success (policy ${POLICY.version}): ${timeClaimText(claims)}`];
}

function listed(whom: string, reasons: readonly Reason[]): string[] {
  return [
    `  ${whom}`,
    ...reasons.flatMap(({ code, text }) => [`    ${code}: ${text}`, `      to lift it: ${remedyOf(code)}`]),
  ];
}
