import type { Grade } from '../claim/eligibility.ts';
import { cellText } from '../claim/group.ts';
import { type HeadlineAxis, POLICY } from '../claim/policy.ts';
import { decisionsOn, falsePassText, namesIn, waiversOn } from '../report/decisions.ts';
import { percent } from '../report/figure-text.ts';
import { GRADES } from '../report/glossary.ts';
import { printable } from '../report/printable.ts';
import type { Report } from '../report/report.ts';
import { foundInWords, type StandingReason, standingReasons } from '../report/standing-reasons.ts';
import { counted } from './counted.ts';
import { MOST_COLUMNS } from './first-screen.ts';
import { broken, labelled } from './labelled-lines.ts';
import { asTyped, type Terminal } from './terminal.ts';

/** Each axis on which somebody may be said to do better, and that of its claims. */
const AXES: readonly [axis: HeadlineAxis, about: string][] = [
  ['task_completion', ''],
  ['fault_recovery', ' about recovering from faults'],
  ['authentication', ' about tasks behind a login'],
];
const GRADES_IN_ORDER: readonly Grade[] = ['primary', 'diagnostic', 'smoke', 'scaffold'];

/** Unfold what may be claimed of a campaign: the claims, the grades, and each reason against more with what would lift it. */
export function claimText({ claims, headlines }: Pick<Report, 'claims' | 'headlines'>, terminal: Terminal): string[] {
  const columns = terminal.screen?.size.columns ?? MOST_COLUMNS;
  const page: Page = { width: Math.min(columns, MOST_COLUMNS), terminal };
  const { smallest_detectable: smallest } = claims;
  const told =
    smallest === null
      ? 'no success rates apart'
      : `success rates apart that differ by ${percent(smallest)} points or more`;
  const said = headlines.length === 0 ? ['none about who does better'] : headlines.map(printable);
  return [
    ...labelled('claims', said, page.width),
    ...labelled('can tell', [`${told}, without faults`], page.width),
    ...labelled(
      'decided by',
      [`policy ${POLICY.version}, the list of what has to be true; report.json has it`],
      page.width,
    ),
    ...AXES.flatMap(([axis, about]) => axisLines(claims, { axis, about }, page)),
  ];
}

/** The room for a text, and how commands in it are typed. */
interface Page {
  width: number;
  terminal: Terminal;
}

function axisLines(
  claims: Report['claims'],
  { axis, about }: { axis: HeadlineAxis; about: string },
  page: Page,
): string[] {
  if (decisionsOn(claims, axis).length === 0) return [];
  const { alone, compared } = standingReasons(claims, axis);
  const against =
    alone.length === 0
      ? `Nothing stands against a claim${about}.`
      : `${counted(alone.length, 'reason')} against a claim${about}, each with what would lift it:`;
  return [
    '',
    ...gradeLines(claims, axis, page),
    '',
    ...broken(against, page.width),
    ...reasonLines(alone, page),
    ...(compared.length === 0
      ? []
      : [
          '',
          ...broken('Against comparing two, and against neither alone:', page.width),
          ...reasonLines(compared, page),
        ]),
    ...proofLines(claims, axis, page),
  ];
}

function gradeLines(claims: Report['claims'], axis: HeadlineAxis, { width }: Page): string[] {
  const decisions = decisionsOn(claims, axis);
  return GRADES_IN_ORDER.flatMap((grade) => {
    const own = decisions.filter((decision) => decision.grade === grade);
    if (own.length === 0) return [];
    const whom = own.length === decisions.length ? 'all entrants' : own.map(namesIn).join(', ');
    return labelled(grade, [printable(`${whom}: ${GRADES[grade]}`)], width);
  });
}

function reasonLines(reasons: readonly StandingReason[], page: Page): string[] {
  return reasons.flatMap((reason) => [
    ...item(foundInWords(reason), page),
    ...(reason.remedy === null ? [] : item(`to lift it: ${asTyped(reason.remedy, page.terminal)}`, page, '  ')),
  ]);
}

/** Say how often contracts may be wrong, by the proofs, and what was waived in these. */
function proofLines(claims: Report['claims'], axis: HeadlineAxis, page: Page): string[] {
  const falsePasses = falsePassText(claims, axis);
  const waivers = waiversOn(claims, axis);
  return [
    ...(falsePasses === null ? [] : ['', ...broken(falsePasses, page.width)]),
    ...(waivers.length === 0 ? [] : ['', ...broken('Waived in the proofs that all of this rests on:', page.width)]),
    ...waivers.flatMap(({ task, mutant, reason }) => item(`${cellText(task)}: ${mutant}, because ${reason}`, page)),
  ];
}

function item(text: string, { width }: Page, mark = '- '): string[] {
  return broken(printable(text), width - mark.length).map((line, at) => `${at === 0 ? mark : '  '}${line}`);
}
