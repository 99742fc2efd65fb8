import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { visible } from './colours.ts';

/** Most columns of a text, and the width of an unknown terminal. */
export const MAX_COLUMNS = 80;
/** Replaces the label of a continued line. */
export const INDENT = ' '.repeat(15);

/** Counts the columns of a text, without its colours. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** Cuts a text without colours to this many columns, with an ellipsis. */
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

/** Breaks a text without colours into lines of this many columns, if needed within a word. */
export function wrapped(text: string, width: number): string[] {
  return wrapAnsi(visible(text), Math.max(1, width), { hard: true }).split('\n');
}

export function labelled(label: string, texts: readonly string[], width: number): string[] {
  const lines = texts.flatMap((text) => wrapped(text, width - INDENT.length));
  return lines.map((line, at) => `${at === 0 ? label.padEnd(INDENT.length) : INDENT}${line}`.trimEnd());
}

export function padTo(width: number, text: string, toRight = false): string {
  const shown = visible(text);
  const space = ' '.repeat(Math.max(0, width - widthOf(shown)));
  return toRight ? `${space}${shown}` : `${shown}${space}`;
}

/** JSON is not broken. */
const WHOLE = /^[{[]/;
const GAP = /\S {2,}(?=\S)/g;
/** The least room below a column for its lines to continue there. */
const MIN = 24;
/** Replaces a space that must not be broken. */
const KEPT = '\uE000';

/**
 * Breaks a line that is too wide for a terminal, and continues below its last column with room. Words and commands stay whole, so
 * that they can be copied.
 * @param command the first words of our commands here
 */
export function withinColumns(line: string, columns: number, command: string): string {
  return WHOLE.test(line) || widthOf(line) <= columns ? line : hanging(line, columns, command).join('\n');
}

function hanging(line: string, columns: number, command: string): string[] {
  const gaps = [...line.matchAll(GAP)].map(({ 0: gap, index }) => index + gap.length);
  const begins = [/^\s*(?:- )?/.exec(line)?.[0].length ?? 0, ...gaps];
  const begin = begins.findLast((end) => columns - widthOf(line.slice(0, end)) >= MIN) ?? 0;
  const indent = widthOf(line.slice(0, begin));
  const lines = wrapAnsi(commandsWhole(line.slice(begin), command), columns - indent)
    .replaceAll(KEPT, ' ')
    .split('\n');
  return lines.map((each, at) => `${at === 0 ? line.slice(0, begin) : ' '.repeat(indent)}${each}`);
}

/** A command ends at its closing quotation mark, or with the line. */
function commandsWhole(text: string, command: string): string {
  const at = text.indexOf(`${command} `);
  if (at < 0) return text;
  const end = text[at - 1] === '"' ? text.indexOf('"', at) : -1;
  const [from, to] = [at, end < 0 ? text.length : end];
  return `${text.slice(0, from)}${text.slice(from, to).replaceAll(' ', KEPT)}${commandsWhole(text.slice(to), command)}`;
}

const BETWEEN = '  ';
/** The least width of a narrowed column. */
const NARROWEST = 8;

/**
 * Draws cells in columns as wide as their widest cell. If these are too wide together, cells are wrapped, the widest first;
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
      return widthOf(cell) <= each ? [cell] : wrapped(cell, each);
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
