import { colours } from './colours.ts';
import { printable } from '../report/printable.ts';

/** Where a command prints; tests and `--json` have their own. */
export interface Terminal {
  /** A line of the result. */
  out(line: string): void;
  /** A line about how it goes: to standard error, so that pipes get the result only. */
  note(line: string): void;
}

export const terminal: Terminal = {
  out: (line) => {
    process.stdout.write(`${line}\n`);
  },
  note: (line) => {
    process.stderr.write(`${line}\n`);
  },
};

/** Columns as wide as their widest cell; the first row is the head. Cells are made printable. */
export function table(rows: readonly (readonly (string | number | null)[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => (cell === null ? '–' : printable(String(cell)))));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const numeric = (cells[0] ?? []).map((_, column) => rows.slice(1).every((row) => typeof row[column] !== 'string'));
  return cells.map((row, index) => {
    const line = row
      .map((cell, column) =>
        numeric[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
    return index === 0 ? colours.bold(line) : line;
  });
}

/** An iteration as people count. */
export function iterationName(iteration: number): string {
  return `#${iteration + 1}`;
}

/** A status in the colour that people expect. */
export function paintStatus(status: string): string {
  if (status === 'passed') return colours.green(status);
  return status === 'not_applicable' || status === 'unavailable' ? colours.dim(status) : colours.red(status);
}
