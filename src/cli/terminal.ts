import { createInterface } from 'node:readline/promises';
import { colours } from './colours.ts';
import { printable } from '../report/printable.ts';

/** Where a command prints; tests and `--json` have their own. */
export interface Terminal {
  /** A line of the result. */
  out(line: string): void;
  /** A line about how it goes: to standard error, so that pipes get the result only. */
  note(line: string): void;
  /** Asks a question that is answered by yes or no; absent where nobody can answer. */
  confirm?(question: string): Promise<boolean>;
}

export const terminal: Terminal = {
  out: (line) => {
    process.stdout.write(`${line}\n`);
  },
  note: (line) => {
    process.stderr.write(`${line}\n`);
  },
  ...(process.stdin.isTTY && process.stderr.isTTY ? { confirm } : {}),
};

async function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`${question} [y/N] `);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}

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
