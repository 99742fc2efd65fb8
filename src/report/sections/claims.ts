import type { Decision } from '../../claim/eligibility.ts';
import { cellText, groupBy } from '../../claim/group.ts';
import { type HeadlineAxis, POLICY } from '../../claim/policy.ts';
import { counted, percent } from '../numbers.ts';
import {
  bestGrade,
  BY_WORTH,
  decisionsOn,
  falsePassText,
  namesIn,
  type StandingReason,
  standingReasons,
  waiversOn,
} from '../decisions.ts';
import {
  type Block,
  code,
  type Content,
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
import { GRADES } from '../glossary.ts';
import type { Report } from '../report.ts';

/** A reason of a view that verifies nothing, and not of the bundle. */
const UNVERIFIED = 'not_verified';

/** Claims, with the reasons against more folded. */
export function claimSection({ claims, headlines }: Pick<Report, 'claims' | 'headlines'>): Section {
  const decisions = decisionsOn(claims, 'task_completion');
  const grade = bestGrade(decisions);
  const codes = new Set(decisions.flatMap(({ reasons }) => reasons.map((reason) => reason.code)));
  codes.delete(UNVERIFIED);
  const more =
    codes.size === 0
      ? 'More'
      : `${counted(codes.size, 'reason')}, and what would lift ${codes.size === 1 ? 'it' : 'them'}`;
  const none: Content = `No claim of who does better: ${GRADES[grade]}. `;
  return section(
    'claim',
    'What may be claimed',
    bullets(headlines),
    fold([headlines.length === 0 ? none : [], more], ...claimBlocks(claims)),
  );
}

/** The smallest difference that can be shown, and the reasons against a claim of who passes more. */
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

/** Null if nothing was decided on the axis. */
export function foldedEligibility(claims: Report['claims'], axis: HeadlineAxis): Block | null {
  const blocks = eligibility(claims, axis);
  const summary = 'What may be claimed of this, the reasons against more, and what would lift them';
  return blocks.length === 0 ? null : fold(summary, ...blocks);
}

/** Each grade with its entrants, each reason against a claim with its remedy, and waivers. */
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
    ...(alone.length + compared.length === 0 ? [text('Nothing prevents a claim.')] : []),
    ...reasonBlocks('Reasons against a claim, and what would lift them:', ofBundle),
    ...reasonBlocks('Reasons in this view alone, in addition to those in the bundle:', ofView),
    ...reasonBlocks('Reasons against comparing two, which apply to neither alone:', compared),
    falsePasses === null ? null : text(falsePasses),
    ...(waivers.length === 0 ? [] : [text('Waived in the proofs that all of this rests on:'), bullets(waivers)]),
  ].filter((block) => block !== null);
}

const TASK_GRADE_NOTE = `The figure of a single task may be published (primary) if it was repeated ${POLICY.least_repetitions.per_task} times and nothing else prevents it; one over all tasks takes ${POLICY.least_repetitions.aggregate} repetitions.`;

/** The grades of the figures of single tasks; entrants with the same grade and reasons share an item. */
export function taskGradeBlocks({ entrants }: Report['claims']): (Block | null)[] {
  const decisions = entrants.map((entrant) => entrant.per_task);
  const groups = groupBy(decisions, (decision) => `${decision.grade} ${codesOf(decision).join(' ')}`);
  const items = [...groups.values()].flatMap((same) =>
    same.slice(0, 1).map((decision) => {
      const codes = codesOf(decision);
      const names = same.map(namesIn).join(', ');
      return [graded(decision.grade), ` ${names}`, codes.length === 0 ? '' : [' (', listed(codes.map(code)), ')']];
    }),
  );
  return items.length === 0 ? [] : [text(TASK_GRADE_NOTE), bullets(items)];
}

function codesOf({ reasons }: Decision): string[] {
  return reasons.map((reason) => reason.code);
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

function reasonItem({ code: name, remedy, found }: StandingReason): Content {
  const texts = found.map(({ text: each, entrants }) => [sentence(each), ` (${entrants})`]);
  return [code(name), ': ', listed(texts, '; '), '.', remedy === null ? '' : ` To lift it: ${remedy}.`];
}
