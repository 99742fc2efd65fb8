import type { Entrant } from '../claim/figures.ts';

/** A column of a table, and its cell in the row of a line; null is a dash. */
export interface Column<Line> {
  head: string;
  cell: (line: Line) => string | number | null;
  /** Stands to the left, as words do; figures stand to the right. */
  left?: boolean;
}

/** Who a line is of. */
export const ENTRANT: readonly Column<Entrant>[] = [
  { head: 'agent', left: true, cell: ({ agent }) => agent },
  { head: 'surface', left: true, cell: ({ surface }) => surface },
];

export function markdownTable<Line>(columns: readonly Column<Line>[], lines: readonly Line[]): string[] {
  return [
    row(columns.map(({ head }) => head)),
    `|${columns.map(({ left = false }) => (left ? '---' : '---:')).join('|')}|`,
    ...lines.map((line) => row(columns.map(({ cell }) => cell(line)))),
  ];
}

function row(cells: readonly (string | number | null)[]): string {
  return `| ${cells.map((cell) => cell ?? '–').join(' | ')} |`;
}
