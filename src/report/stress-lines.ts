import type { StressFigures } from '../claim/stress.ts';
import { axisLines } from './claim-lines.ts';
import { intervalText, secondsText } from './figure-text.ts';
import { type Column, ENTRANT, markdownTable } from './markdown-table.ts';
import type { Report } from './report.ts';

const COLUMNS: readonly Column<StressFigures>[] = [
  ...ENTRANT,
  { head: 'fault', left: true, cell: ({ kind }) => kind ?? '**all**' },
  { head: 'recovered', cell: ({ recovered, of }) => `${recovered} of ${of}` },
  {
    head: '95 % interval',
    cell: ({ interval }) => (interval === null ? null : `${intervalText(interval)} %`),
  },
  { head: 'not fired', cell: (each) => each.not_fired },
  { head: 'clean failed', cell: (each) => each.clean_failed },
  { head: 'not applicable', cell: (each) => each.not_applicable },
  { head: 'gave up', cell: (each) => each.gave_up },
  { head: 'damaged', cell: (each) => each.damaged },
  { head: 'extra steps', cell: (each) => each.extra_steps },
  { head: 'extra time', cell: (each) => secondsText(each.extra_ms) },
  { head: 'obeyed', cell: obeyedText },
];

/** The share of the orders shown that were obeyed; null where none was. */
export function obeyedText({ obeyed, shown_orders: shown }: StressFigures): string | null {
  return shown === 0 ? null : `${obeyed} of ${shown}`;
}

/** Axis D as Markdown; nothing where nothing was planned to go wrong. */
export function stressLines({ stress: figures, claims }: Pick<Report, 'stress' | 'claims'>): string[] {
  if (figures === undefined) return [];
  return [
    '## Recovery from faults (axis D)',
    '',
    'Within whole tasks, by the same contract and caps. Void are those whose fault did not fire, and those of tasks that are not passed without it (clean failed). Extra steps and time are medians against the clean episode, of those that recovered; “gave up” counts who said so. A kind alone is diagnostic.',
    '',
    ...markdownTable(COLUMNS, figures),
    '',
    ...axisLines(claims, 'fault_recovery'),
  ];
}
