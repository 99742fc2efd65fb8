import { type EntrantFigures, entrantName } from '../claim/figures.ts';
import { overClaimNote } from './as-it-must.ts';
import { intervalText, percent, secondsText } from './figure-text.ts';
import { type Column, ENTRANT, markdownTable } from './markdown-table.ts';
import type { Report } from './report.ts';

type Line = Report['claims']['entrants'][number] & { figures: EntrantFigures | undefined };

const COLUMNS: readonly Column<Line>[] = [
  ...ENTRANT,
  { head: 'grade', left: true, cell: ({ aggregate }) => aggregate.grade },
  { head: 'passed', cell: ({ success: { passed } }) => `${passed.successes} of ${passed.trials}` },
  { head: '%', cell: ({ success: { passed } }) => (passed.rate === null ? null : percent(passed.rate)) },
  { head: '95 % interval', cell: ({ success: { passed } }) => intervalText(passed.interval) },
  { head: 'unknown', cell: ({ success }) => success.unknown },
  {
    head: 'pass^k',
    cell: ({ success: { reliability } }) => {
      const last = reliability.at(-1);
      return last === undefined ? null : `${percent(last.pass_hat_k)} (k = ${last.k})`;
    },
  },
  { head: 'damaged', cell: ({ success }) => success.damaged },
  { head: 'over-claims', cell: ({ success: { testimony: all } }) => `${all.over_claims} of ${all.declared}` },
  { head: 'under-claims', cell: ({ success: { testimony: all } }) => `${all.under_claims} of ${all.undeclared}` },
  { head: 'median steps', cell: ({ figures }) => figures?.median_steps ?? null },
  { head: 'median tool errors', cell: ({ figures }) => figures?.median_tool_errors ?? null },
  { head: 'median time', cell: ({ figures }) => secondsText(figures?.median_wall_ms ?? null) },
];

/** Say why the column of intervals has none, and where that of the one task is; null where one is there. */
function noIntervalNote({ entrants }: Report['claims']): string | null {
  const ran = entrants.filter(({ success }) => success.passed.trials > 0);
  return ran.length === 0 || ran.some(({ success }) => success.passed.interval !== null)
    ? null
    : 'There is no interval over one task, as it says nothing of others. That of the task itself is under “Per task”.';
}

/** The result of each entrant without faults, as Markdown, and what its figure is worth; nothing where there is none. */
export function successLines({ claims, entrants, agents }: Pick<Report, 'claims' | 'entrants' | 'agents'>): string[] {
  if (claims.entrants.length === 0) return [];
  const figures = new Map(entrants.map((each) => [entrantName(each), each]));
  const lines = claims.entrants.map((each) => ({ ...each, figures: figures.get(entrantName(each)) }));
  const notes = [noIntervalNote(claims), overClaimNote({ claims, agents })].filter((note) => note !== null);
  return ['## Success', '', ...markdownTable(COLUMNS, lines), '', ...notes.flatMap((note) => [note, ''])];
}
