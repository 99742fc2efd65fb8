import type { WaivedMutant } from '../claim/claim-facts.ts';
import { cellText, groupBy } from '../claim/group.ts';
import type { HeadlineAxis } from '../claim/policy.ts';
import { codeSpan } from './code-span.ts';
import { decisionsOn, falsePassText, namesIn, TASK_GRADE_NOTE, taskGrades, waiversOn } from './decisions.ts';
import { percent } from './figure-text.ts';
import type { Report } from './report.ts';
import { foundInWords, type StandingReason, standingReasons } from './standing-reasons.ts';

/** Words of ours, in which nothing can be markup. Others name what a server or a provider called itself. */
const PLAIN = /^(?!.*\/\/)[\p{L}\p{N} ,;:()'%/_-]*$/u;

/**
 * Write what a campaign lets one say, in Markdown: the headlines, which are there only for claims that policy lets be made, the
 * smallest difference that it can show, then every reason against a claim with what would lift it.
 */
export function claimLines({ claims, headlines }: Pick<Report, 'claims' | 'headlines'>): string[] {
  const { smallest_detectable: smallest, policy } = claims;
  const none = '- No claim of who does better: nothing here is eligible for one.';
  return [
    `## Claims (policy ${policy.version})`,
    '',
    ...(headlines.length === 0 ? [none] : headlines.map((each) => `- ${each}`)),
    `- Smallest difference of success rates without faults that this campaign can show: ${smallest === null ? 'none' : `${percent(smallest)} points`}.`,
    '',
    ...standingLines(claims, 'task_completion'),
  ];
}

/** Grade the figures of another axis, by entrant. */
export function axisLines(claims: Report['claims'], axis: HeadlineAxis): string[] {
  const grades = groupBy(decisionsOn(claims, axis), ({ grade }) => grade);
  const lines = [...grades].map(([grade, own]) => `- ${grade}: ${own.map(namesIn).join(', ')}`);
  return [...(lines.length === 0 ? [] : [...lines, '']), ...standingLines(claims, axis)];
}

/** Grade the figures of each task. */
export function taskGradeLines(claims: Report['claims']): string[] {
  const lines = taskGrades(claims).map(
    ({ grade, names, codes }) =>
      `- ${grade}: ${names}${codes.length === 0 ? '' : ` (${codes.map((code) => `\`${code}\``).join(', ')})`}`,
  );
  return lines.length === 0 ? [] : [TASK_GRADE_NOTE, '', ...lines, ''];
}

/** Each reason once, with its remedy and those against whom it stands; then pairs that cannot be compared for more than that; then waivers. */
function standingLines(claims: Report['claims'], axis: HeadlineAxis): string[] {
  const { alone, compared } = standingReasons(claims, axis);
  return [
    ...listed('What stands against a claim, and what would lift it:', alone),
    ...listed('What stands against comparing two, and against neither alone:', compared),
    ...falsePassLines(claims, axis),
    ...waiverLines(waiversOn(claims, axis)),
  ];
}

function listed(title: string, reasons: readonly StandingReason[]): string[] {
  if (reasons.length === 0) return [];
  const lines = reasons.map((reason) => {
    const lift = reason.remedy === null ? '' : ` To lift it: ${reason.remedy}.`;
    return `- \`${reason.code}\`: ${foundInWords(reason, inMarkdown)}.${lift}`;
  });
  return [title, '', ...lines, ''];
}

function inMarkdown(text: string): string {
  return PLAIN.test(text) ? text : codeSpan(text);
}

function falsePassLines(claims: Report['claims'], axis: HeadlineAxis): string[] {
  const text = falsePassText(claims, axis);
  return text === null ? [] : [text, ''];
}

/** A waiver has a form in which nothing can be markup. */
function waiverLines(waivers: readonly WaivedMutant[]): string[] {
  if (waivers.length === 0) return [];
  const lines = waivers.map(({ task, mutant, reason }) => `- ${cellText(task)}: \`${mutant}\`, because ${reason}`);
  return ['Waived in the proofs that all of this rests on:', '', ...lines, ''];
}
