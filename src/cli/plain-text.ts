import { printableLines } from '../report/printable.ts';
import { alignedTables } from './aligned-tables.ts';
import { colours } from './colours.ts';
import { asTyped, type Terminal } from './terminal.ts';

/** A code span as `codeSpan` writes it: its fence, and what stands in it. */
const SPAN = /(`+)(?!`)(.+?)(?<!`)\1(?!`)/g;
/** Stands for a pipe inside a cell until the cells are drawn. */
const PIPE = '\uE000';

/** Draw Markdown of ours as a file or a pipe takes it, and for a terminal as text: tables in columns, and no marks. */
export function forReader(markdown: string, terminal: Pick<Terminal, 'columns' | 'command'>): string {
  const text = printableLines(markdown);
  return asTyped(terminal.columns === undefined ? text : plainText(text, terminal.columns), terminal);
}

function plainText(markdown: string, columns: number): string {
  const lines = alignedTables(markdown.split('\n').map(withoutMarks), columns);
  return lines
    .flatMap((line, at) => (isRow(line) ? rowText(lines, at) : [headingText(line)]))
    .join('\n')
    .replaceAll(PIPE, '|');
}

function withoutMarks(line: string): string {
  return line.replaceAll(SPAN, (_, _fence, text: string) => {
    const inside = text.startsWith(' ') && text.endsWith(' ') ? text.slice(1, -1) : text;
    return inside.replaceAll(
      /((?:\\u005c)*)\\\|/g,
      (_pipe, slashes: string) => slashes.replaceAll('\\u005c', '\\') + PIPE,
    );
  });
}

function isRow(line: string | undefined): boolean {
  return line?.startsWith('|') === true;
}

function headingText(line: string): string {
  const heading = /^#+ (.*)/.exec(line)?.[1];
  return heading === undefined ? line.replaceAll('**', '') : colours.bold(heading);
}

/** The row without its bars; nothing of the rule below the heads. */
function rowText(lines: readonly string[], at: number): string[] {
  const line = lines[at] ?? '';
  if (isRule(line)) return [];
  const text = line.slice(2, -2).replaceAll(' | ', '  ').replaceAll('**', '').trimEnd();
  const end = lines.findIndex((other, below) => below > at && (!isRow(other) || isRule(other)));
  return [isRule(lines[end]) ? colours.bold(text) : text];
}

function isRule(line: string | undefined): boolean {
  return line !== undefined && isRow(line) && /^[|: -]+$/.test(line);
}
