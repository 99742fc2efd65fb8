import type { Decision } from '../../claim/eligibility.ts';
import { cellText } from '../../claim/group.ts';
import type { HeadlineAxis } from '../../claim/policy.ts';
import { counted, percent } from '../numbers.ts';
import {
  bestGrade,
  BY_WORTH,
  decisionsOn,
  falsePassText,
  namesIn,
  TASK_GRADE_NOTE,
  taskGrades,
  waiversOn,
} from '../decisions.ts';
import {
  type Block,
  code,
  fold,
  graded,
  bullets,
  listed,
  quiet,
  type Section,
  section,
  sentence,
  text,
} from '../document.ts';
import type { Content } from '../document.ts';
import { GRADES } from '../glossary.ts';
import type { Report } from '../report.ts';
import { type StandingReason, standingReasons } from '../standing-reasons.ts';

/** A view that verifies nothing is not a fact of the bundle. */
const UNVERIFIED = 'not_verified';

/** Claims; the reasons against a claim are folded behind it. */
export function claimSection({ claims, headlines }: Pick<Report, 'claims' | 'headlines'>): Section {
  const decisions = decisionsOn(claims, 'task_completion');
  const grade = bestGrade(decisions);
  const codes = new Set(decisions.flatMap(({ reasons }) => reasons.map((reason) => reason.code)));
  codes.delete(UNVERIFIED);
  const more =
    codes.size === 0
      ? 'More'
      : `${counted(codes.size, 'reason')}, and what would lift ${codes.size === 1 ? 'it' : 'them'}`;
  const none: Content = [
    'No claim of who does better: nothing here is eligible for one. ',
    graded(grade),
    ` ${GRADES[grade]}. `,
  ];
  return section(
    'claim',
    'What may be claimed',
    bullets(headlines),
    fold([headlines.length === 0 ? none : [], more], ...claimBlocks(claims)),
  );
}

/** The smallest difference that can be shown, and what stands against a claim of who passes more. */
export function claimBlocks(claims: Report['claims']): Block[] {
  const { smallest_detectable: smallest, policy } = claims;
  const shown =
    smallest === null
      ? 'This campaign can show no difference of success rates without faults'
      : `${percent(smallest)} points is the smallest difference of success rates without faults that this campaign can show. Nothing is ranked below it`;
  return [
    text(`${shown}; claims about recovery, or about tasks behind a login, name their own.`),
    ...eligibility(claims, 'task_completion'),
    quiet(
      `Decided by version ${policy.version} of the policy, the fixed list of what has to be true for a claim; report.json holds it, with every decision.`,
    ),
  ];
}

/** The same of another axis, folded. */
export function foldedEligibility(claims: Report['claims'], axis: HeadlineAxis): Block {
  return fold(
    'What may be claimed of this, what stands against it, and what would lift that',
    ...eligibility(claims, axis),
  );
}

/** Each grade with those who have it, each reason against a claim once with its remedy, and waivers. */
export function eligibility(claims: Report['claims'], axis: HeadlineAxis): Block[] {
  const decisions = decisionsOn(claims, axis);
  if (decisions.length === 0) return [];
  const { alone, compared } = standingReasons(claims, axis);
  const [ofBundle, ofView] = [false, true].map((is) => alone.filter((reason) => (reason.code === UNVERIFIED) === is));
  const falsePasses = falsePassText(claims, axis);
  const waivers = waiversOn(claims, axis).map(({ task, mutant, reason }) => [
    `${cellText(task)}: `,
    code(mutant),
    `, because ${reason}`,
  ]);
  return [
    bullets(gradeItems(decisions)),
    ...(alone.length + compared.length === 0 ? [text('Nothing stands against a claim.')] : []),
    ...reasonBlocks('What stands against a claim, and what would lift it:', ofBundle),
    ...reasonBlocks('And of this view alone, in addition to what the bundle says of itself:', ofView),
    ...reasonBlocks('Against comparing two, and against neither alone:', compared),
    falsePasses === null ? null : text(falsePasses),
    ...(waivers.length === 0 ? [] : [text('Waived in the proofs that all of this rests on:'), bullets(waivers)]),
  ].filter((block) => block !== null);
}

/** The grades of figures of single tasks. */
export function taskGradeBlocks(claims: Report['claims']): (Block | null)[] {
  const items = taskGrades(claims).map(({ grade, names, codes }) => [
    graded(grade),
    ` ${names}`,
    codes.length === 0 ? '' : [' (', listed(codes.map(code)), ')'],
  ]);
  return items.length === 0 ? [] : [text(TASK_GRADE_NOTE), bullets(items)];
}

function gradeItems(decisions: readonly Decision[]): Content[] {
  return BY_WORTH.flatMap((grade) => {
    const own = decisions.filter((decision) => decision.grade === grade);
    if (own.length === 0) return [];
    const names = own.length === decisions.length ? 'all entrants' : own.map(namesIn).join(', ');
    return [[graded(grade), ` ${names}: ${GRADES[grade]}`]];
  });
}

function reasonBlocks(title: string, reasons: readonly StandingReason[] = []): (Block | null)[] {
  return reasons.length === 0 ? [] : [text(title), bullets(reasons.map(reasonItem))];
}

/** A reason once, with all that was found of it, and its remedy. */
function reasonItem({ code: name, remedy, found }: StandingReason): Content {
  const texts = found.map(({ text: said, whom }) => [sentence(said), ` (${whom})`]);
  return [code(name), ': ', listed(texts, '; '), '.', remedy === null ? '' : ` To lift it: ${remedy}.`];
}
