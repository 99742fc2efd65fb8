import type { EntrantClaims } from '../claim/claims.ts';
import type { Waiver } from '../claim/claim-facts.ts';
import type { Reason } from '../claim/eligibility.ts';
import { groupBy } from '../claim/group.ts';
import type { HeadlineAxis } from '../claim/policy.ts';
import type { Interval } from '../stats/interval.ts';
import { codeSpan } from './code-span.ts';
import {
  barredComparisons,
  decisionsOn,
  falsePassText,
  namesIn,
  TASK_GRADE_NOTE,
  taskGrades,
  waiversOn,
} from './decisions.ts';
import type { Report } from './report.ts';

/** Words of ours, in which nothing can be markup. Others name what a server or a provider called itself. */
const PLAIN = /^(?!.*\/\/)[\p{L}\p{N} ,;:()'%/_-]*$/u;

/**
 * Write what a campaign lets one say, in Markdown: the smallest difference that it can show first, then the headlines, which are
 * there only for claims that policy lets be made, then each entrant with its grade, then every reason.
 */
export function claimLines({ claims, headlines }: Pick<Report, 'claims' | 'headlines'>): string[] {
  const { smallest_detectable: smallest, entrants, policy } = claims;
  const none = '- No claim of who does better: nothing here is eligible for one.';
  return [
    `## Claims (policy ${policy.version})`,
    '',
    `- Smallest difference of success rates without faults that this campaign can show: ${smallest === null ? 'none' : `${percent(smallest)} points`}.`,
    ...(headlines.length === 0 ? [none] : headlines.map((each) => `- ${each}`)),
    '',
    '| agent | surface | grade | passed, of 100 | 95 % interval | unknown | pass^k | damaged | over-claims | under-claims |',
    '|---|---|---|---:|---|---:|---|---:|---:|---:|',
    ...entrants.map(entrantLine),
    '',
    ...reasonLines(claims, 'task_completion'),
  ];
}

/** Grade the figures of another axis, by entrant. */
export function axisLines(claims: Report['claims'], axis: HeadlineAxis): string[] {
  const primary = decisionsOn(claims, axis).filter(({ grade }) => grade === 'primary');
  return [
    ...(primary.length === 0 ? [] : [`Primary: ${primary.map(namesIn).join(', ')}.`, '']),
    ...reasonLines(claims, axis),
  ];
}

/** Grade the figures of each task. */
export function taskGradeLines(claims: Report['claims']): string[] {
  const lines = taskGrades(claims).map(
    ({ grade, names, codes }) =>
      `- ${grade}: ${names}${codes.length === 0 ? '' : ` (${codes.map((code) => `\`${code}\``).join(', ')})`}`,
  );
  return lines.length === 0 ? [] : [TASK_GRADE_NOTE, '', ...lines, ''];
}

function entrantLine({ agent, surface, success, aggregate }: EntrantClaims): string {
  const { passed, unknown, reliability, damaged, testimony } = success;
  const last = reliability.at(-1);
  const cells = [
    agent,
    surface,
    aggregate.grade,
    passed.rate === null ? '–' : percent(passed.rate),
    intervalText(passed.interval),
    String(unknown),
    last === undefined ? '–' : `${percent(last.pass_hat_k)} (k = ${last.k})`,
    String(damaged),
    `${testimony.over_claims} of ${testimony.declared}`,
    `${testimony.under_claims} of ${testimony.undeclared}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function intervalText(interval: Interval | null): string {
  return interval === null ? '–' : `${percent(interval.low)} to ${percent(interval.high)}`;
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}

/** Entrants against whom the same stands are named together; then pairs that cannot be compared for more than that; then waivers. */
function reasonLines(claims: Report['claims'], axis: HeadlineAxis): string[] {
  const barring = decisionsOn(claims, axis).filter(({ reasons }) => reasons.length > 0);
  const alike = groupBy(barring, ({ reasons }) => JSON.stringify(reasons));
  return [
    ...[...alike.values()].flatMap((same) =>
      same
        .slice(0, 1)
        .flatMap(({ grade, reasons }) =>
          listed(`Not primary, but ${grade}: ${same.map(namesIn).join(', ')}.`, reasons),
        ),
    ),
    ...barredComparisons(claims, axis).flatMap(({ pairs, reasons }) =>
      listed(`What stands against comparing them, and against neither alone: ${pairs.join('; ')}.`, reasons),
    ),
    ...falsePassLines(claims, axis),
    ...waiverLines(waiversOn(claims, axis)),
  ];
}

function listed(whom: string, reasons: readonly Reason[]): string[] {
  return [
    whom,
    '',
    ...reasons.map(({ code, text }) => `- \`${code}\`: ${PLAIN.test(text) ? text : codeSpan(text)}`),
    '',
  ];
}

function falsePassLines(claims: Report['claims'], axis: HeadlineAxis): string[] {
  const text = falsePassText(claims, axis);
  return text === null ? [] : [text, ''];
}

/** A waiver has a form in which nothing can be markup. */
function waiverLines(waivers: readonly Waiver[]): string[] {
  if (waivers.length === 0) return [];
  const lines = waivers.map(({ task, mutant, reason }) => `- ${task}: \`${mutant}\`, because ${reason}`);
  return ['Waived in the proofs that all of this rests on:', '', ...lines, ''];
}
