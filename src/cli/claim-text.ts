import type { HeadlineAxis } from '../claim/policy.ts';
import { decisionsOn } from '../report/decisions.ts';
import { type Section, section } from '../report/document.ts';
import type { Report } from '../report/report.ts';
import { claimSection, eligibility } from '../report/sections/claims.ts';

/** The other axes on which an entrant may do better. */
const OTHERS: readonly [axis: HeadlineAxis, title: string][] = [
  ['fault_recovery', 'Claims about recovering from faults'],
  ['authentication', 'Claims about tasks behind a login'],
];

/** Lists what may be claimed of a campaign on every axis, with each reason against more and what would lift it. */
export function claimSections({ claims, headlines }: Pick<Report, 'claims' | 'headlines'>): Section[] {
  const others = OTHERS.filter(([axis]) => decisionsOn(claims, axis).length > 0);
  return [
    claimSection({ claims, headlines }),
    ...others.map(([axis, title]) => section(axis, title, ...eligibility(claims, axis))),
  ];
}
