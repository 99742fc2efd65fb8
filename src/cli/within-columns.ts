import { alignedTables } from './aligned-tables.ts';
import { shownWidth } from './live/text-width.ts';

/** A JSON value is for programs to read, and a row of a table for a program that draws it. */
const WHOLE = /^[|{[]/;
/** Where a line begins: after its indent, and the mark of an item. */
const BEGINNING = /^\s*(?:- )?/;
/** Lies between two columns. */
const GAP = /\S {2,}(?=\S)/g;
/** Room that a column needs for its lines to go on below it. */
const LEAST = 24;

/**
 * Breaks lines at their spaces where they are too wide for a terminal, and goes on below the last of their columns that
 * has room. A word or a command that is too wide itself stays whole: whoever copies it gets no line break with it.
 * @param command the words by which a command of ours begins here
 */
export function withinColumns(text: string, columns: number, command: string): string {
  return alignedTables(text.split('\n'), columns)
    .flatMap((line) => (WHOLE.test(line) || shownWidth(line) <= columns ? [line] : brokenLine(line, columns, command)))
    .join('\n');
}

function brokenLine(line: string, columns: number, command: string): string[] {
  const indent = ' '.repeat(columnBelow(line, columns));
  const lines: string[] = [];
  let end = 0;
  for (const { text, at } of pieces(line, command)) {
    const last = lines.at(-1);
    const joined = `${last ?? ''}${line.slice(end, at)}${text}`;
    end = at + text.length;
    if (last === undefined || shownWidth(joined) <= columns) lines[Math.max(0, lines.length - 1)] = joined;
    else lines.push(`${indent}${text}`);
  }
  return lines;
}

function columnBelow(line: string, columns: number): number {
  const gaps = [...line.matchAll(GAP)].map(({ 0: gap, index }) => index + gap.length);
  const begins = [BEGINNING.exec(line)?.[0].length ?? 0, ...gaps].map((end) => shownWidth(line.slice(0, end)));
  return Math.max(0, ...begins.filter((begin) => columns - begin >= LEAST));
}

/** The words of a line; a command is one, up to the quotation mark that ends it, else to the end of the line. */
function pieces(line: string, command: string): { text: string; at: number }[] {
  const found: { text: string; at: number }[] = [];
  for (const { 0: word, index: at } of line.matchAll(/\S+/g)) {
    const last = found.at(-1);
    if (last === undefined || at >= last.at + last.text.length)
      found.push({ text: commandAt(line, at, command) ?? word, at });
  }
  return found;
}

function commandAt(line: string, at: number, command: string): string | null {
  const isQuoted = line.startsWith(`"${command} `, at);
  if (!isQuoted && !line.startsWith(`${command} `, at)) return null;
  const quote = isQuoted ? line.indexOf('"', at + 1) : -1;
  return quote < 0 ? line.slice(at) : line.slice(at, quote + 1) + (/^\S*/.exec(line.slice(quote + 1))?.[0] ?? '');
}
