import { type EntrantFigures, entrantName } from '../claim/figures.ts';
import { intervalText, percent, secondsText } from './figure-text.ts';
import { markdownTable } from './markdown-table.ts';
import type { Report } from './report.ts';

const HEADS = [
  'agent',
  'surface',
  'grade',
  'passed',
  '%',
  '95 % interval',
  'unknown',
  'pass^k',
  'damaged',
  'over-claims',
  'under-claims',
  'median steps',
  'median tool errors',
  'median time',
];

/** The result of each entrant without faults, as Markdown, and what its figure is worth; nothing where there is none. */
export function successLines({ claims, entrants }: Pick<Report, 'claims' | 'entrants'>): string[] {
  if (claims.entrants.length === 0) return [];
  const figures = new Map(entrants.map((each) => [entrantName(each), each]));
  return [
    '## Success',
    '',
    ...markdownTable(
      HEADS,
      claims.entrants.map((each) => [...successCells(each), ...effortCells(figures.get(entrantName(each)))]),
      3,
    ),
    '',
  ];
}

function successCells({ agent, surface, success, aggregate }: Report['claims']['entrants'][number]) {
  const { passed, unknown, reliability, damaged, testimony } = success;
  const last = reliability.at(-1);
  return [
    agent,
    surface,
    aggregate.grade,
    `${passed.successes} of ${passed.trials}`,
    passed.rate === null ? null : percent(passed.rate),
    intervalText(passed.interval),
    String(unknown),
    last === undefined ? null : `${percent(last.pass_hat_k)} (k = ${last.k})`,
    String(damaged),
    `${testimony.over_claims} of ${testimony.declared}`,
    `${testimony.under_claims} of ${testimony.undeclared}`,
  ];
}

function effortCells(figures: EntrantFigures | undefined): (string | null)[] {
  const { median_steps: steps = null, median_tool_errors: errors = null, median_wall_ms: time = null } = figures ?? {};
  return [steps === null ? null : String(steps), errors === null ? null : String(errors), secondsText(time)];
}
