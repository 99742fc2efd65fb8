import type { StressFigures } from '../src/claim/stress.ts';
import { FAULT_KINDS } from '../src/fault/schema.ts';
import { type Block, code, type Column, listed, table, text } from '../src/report/document.ts';
import { type Ended, surfacesWith } from './surface-names.ts';

/** A task of the suite `stress` with a form, a session and a password: something for every kind to break. Two make a large bundle. */
export const FAULT_TASKS = 'change-address';
/** It does the retrying, so that each surface has the same number of tries. */
export const FAULT_AGENT = 'retrying-reference';

type Line = { kind: string; ends: Ended[] };

const ENDS = ['survived', 'not survived', 'not tried'] as const;

/** The faults that each surface survived in all, and by kind. */
export function faultBlocks(figures: readonly StressFigures[]): Block[] {
  const all = figures.filter(({ kind }) => kind === null);
  const out = all.filter(({ of }) => of === 0).map(({ surface }) => surface);
  const totals = all
    .filter(({ of }) => of > 0)
    .toSorted((a, b) => b.recovered / b.of - a.recovered / a.of)
    .map(({ surface, recovered, of }) => `${surface} ${recovered}/${of}`);
  const tried = FAULT_KINDS.map(({ kind }): Line => ({
    kind,
    ends: figures.filter((each) => each.kind === kind && !out.includes(each.surface)).map(endOf),
  }));
  const have = (end: (typeof ENDS)[number]) => (line: Line) => line.ends.some((each) => each.end === end);
  const lines = tried.filter(have('not survived'));
  const others = tried.filter((line) => have('survived')(line) && !lines.includes(line));
  const columns = ENDS.map((end): Column<Line> => ({
    head: end,
    words: true,
    text: ({ ends }) => surfacesWith(ends, end),
  }));
  const blocks = [
    text(`Faults survived: ${totals.join(', ')}.`),
    out.length === 0 ? null : text('Not tried, since they do not pass the task without a fault: ', out.join(', '), '.'),
    others.length === 0 ? null : text('No surface failed at ', listed(others.map(({ kind }) => code(kind))), '.'),
    lines.length === 0
      ? null
      : table('Faults', [{ head: 'fault', words: true, text: ({ kind }) => code(kind) }, ...columns], lines),
  ];
  return blocks.filter((block) => block !== null);
}

/** One that recovered only sometimes did not survive, and has its share. */
function endOf({ surface, recovered, of }: StressFigures): Ended {
  if (of === 0) return { surface, end: 'not tried', share: '' };
  if (recovered === of) return { surface, end: 'survived', share: '' };
  return { surface, end: 'not survived', share: recovered === 0 ? '' : ` (${recovered}/${of} survived)` };
}
