import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { visible } from './colours.ts';

/** Columns that a text is drawn for at most, and where the width of the terminal is not known. */
export const MOST_COLUMNS = 80;
/** Stands where a line has no label. */
export const INDENT = ' '.repeat(15);

/** Counts the columns that a text takes, without its colours. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** Cuts a text without colours to so many columns; that it was cut is seen. */
export function cutTo(columns: number, text: string): string {
  const shown = visible(text);
  if (widthOf(shown) <= columns) return shown;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(shown)) {
    if (widthOf(kept + segment) >= columns) break;
    kept += segment;
  }
  return columns < 1 ? '' : `${kept}…`;
}

/** Breaks a text without colours at its spaces into lines of so many columns; a word that is too wide is broken, too. */
export function broken(text: string, width: number): string[] {
  return wrapAnsi(visible(text), Math.max(1, width), { hard: true }).split('\n');
}

/** Writes texts next to a label, each broken where it is too long. */
export function labelled(label: string, texts: readonly string[], width: number): string[] {
  const lines = texts.flatMap((text) => broken(text, width - INDENT.length));
  return lines.map((line, at) => `${at === 0 ? label.padEnd(INDENT.length) : INDENT}${line}`.trimEnd());
}

/** Pads a text to so many columns. */
export function padTo(width: number, text: string, toRight = false): string {
  const shown = visible(text);
  const space = ' '.repeat(Math.max(0, width - widthOf(shown)));
  return toRight ? `${space}${shown}` : `${shown}${space}`;
}

/** JSON is for programs to read. */
const WHOLE = /^[{[]/;
/** Lies between two columns. */
const GAP = /\S {2,}(?=\S)/g;
/** Room that a column needs for its lines to go on below it. */
const LEAST = 24;
/** Stands for a space that no line may end at. */
const KEPT = '\uE000';

/**
 * Breaks a line that is too wide for a terminal, and goes on below its last column that has room. A word or a command
 * that is too wide itself stays whole, so that it can be copied.
 * @param command the words by which a command of ours begins here
 */
export function withinColumns(line: string, columns: number, command: string): string {
  return WHOLE.test(line) || widthOf(line) <= columns ? line : hanging(line, columns, command).join('\n');
}

function hanging(line: string, columns: number, command: string): string[] {
  const gaps = [...line.matchAll(GAP)].map(({ 0: gap, index }) => index + gap.length);
  const begins = [/^\s*(?:- )?/.exec(line)?.[0].length ?? 0, ...gaps];
  const begin = begins.findLast((end) => columns - widthOf(line.slice(0, end)) >= LEAST) ?? 0;
  const indent = widthOf(line.slice(0, begin));
  const lines = wrapAnsi(commandsWhole(line.slice(begin), command), columns - indent)
    .replaceAll(KEPT, ' ')
    .split('\n');
  return lines.map((each, at) => `${at === 0 ? line.slice(0, begin) : ' '.repeat(indent)}${each}`);
}

/** A command ends at the quotation mark that encloses it, else with the line. */
function commandsWhole(text: string, command: string): string {
  const at = text.indexOf(`${command} `);
  if (at < 0) return text;
  const end = text[at - 1] === '"' ? text.indexOf('"', at) : -1;
  const [from, to] = [at, end < 0 ? text.length : end];
  return `${text.slice(0, from)}${text.slice(from, to).replaceAll(' ', KEPT)}${commandsWhole(text.slice(to), command)}`;
}

/** Columns between two cells. */
const BETWEEN = '  ';
/** The least that a column is narrowed to. */
const NARROWEST = 8;

/**
 * Draws cells in columns as wide as their widest cell. If these are too wide together, cells are broken, the widest first;
 * null if even that is not enough.
 */
export function inColumns(
  texts: readonly (readonly string[])[],
  isFigure: readonly boolean[],
  width: number,
): string[] | null {
  const rows = texts.map((row) => row.map(visible));
  const natural = isFigure.map((_, at) => rows.reduce((most, row) => Math.max(most, widthOf(row[at] ?? '')), 0));
  const widths = narrowed(natural, width - BETWEEN.length * (natural.length - 1));
  if (widths === null) return null;
  return rows.flatMap((row) => {
    const cells = widths.map((each, at) => {
      const cell = row[at] ?? '';
      return widthOf(cell) <= each ? [cell] : broken(cell, each);
    });
    return Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, line) =>
      cells
        .map((cell, at) => padTo(widths[at] ?? 0, cell[line] ?? '', isFigure[at]))
        .join(BETWEEN)
        .trimEnd(),
    );
  });
}

function narrowed(natural: readonly number[], room: number): number[] | null {
  const widths = [...natural];
  for (let over = widths.reduce((sum, each) => sum + each, 0) - room; over > 0; over -= 1) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) return null;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}
