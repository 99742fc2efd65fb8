import { shownWidth } from './live/text-width.ts';

/** The cells of a Markdown table, its head first and its rule left out, and which columns have figures. */
interface Table {
  rows: string[][];
  isFigure: boolean[];
}

/** Pads the cells of Markdown tables so that their columns stand below each other, and breaks cells where a table is too wide. */
export function alignedTables(lines: readonly string[], columns: number): string[] {
  return lines.flatMap((line, at) => {
    if (!isRow(line)) return [line];
    if (isRow(lines[at - 1])) return [];
    const end = lines.findIndex((other, below) => below > at && !isRow(other));
    const rows = lines.slice(at, end < 0 ? lines.length : end);
    return alignedTable(rows, columns) ?? rows;
  });
}

function isRow(line: string | undefined): boolean {
  return line?.startsWith('|') === true;
}

/** Null where not even broken cells make it narrow enough. */
function alignedTable(lines: readonly string[], columns: number): string[] | null {
  const { rows, isFigure } = parsed(lines);
  const widths = isFigure.map((_, at) => widest(rows.map((row) => row[at] ?? '')));
  const least = isFigure.map((_, at) => leastWidth(rows, at));
  // Each column has a bar and two spaces, and the last a bar behind it.
  const room = columns - 3 * widths.length - 1;
  const fitting = narrowed(widths, least, room);
  if (fitting === null) return null;
  const rule = `| ${fitting.map((width, at) => `${'-'.repeat(width - 1)}${isFigure[at] === true ? ':' : '-'}`).join(' | ')} |`;
  const [head = [], ...drawn] = rows.map((row) => drawnRow(row, fitting, isFigure));
  return [...head, rule, ...drawn.flat()];
}

function parsed(lines: readonly string[]): Table {
  const cells = lines.map((row) => row.replace(/^\| ?| ?\|$/g, '').split(/ \| |(?<=-|:)\|(?=-)/));
  const [head = [], rule = [], ...rows] = cells;
  return { rows: [head, ...rows], isFigure: rule.map((each) => each.endsWith(':')) };
}

/** As wide as the longest part of its cells that stays whole. */
function leastWidth(rows: readonly string[][], at: number): number {
  return widest(rows.flatMap((row) => partsOf(row[at] ?? '').map((part) => part.trimEnd())));
}

/** Takes as many texts as there are: a call takes no hundred thousand arguments. */
function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, shownWidth(text)), 0);
}

/** Words with the space behind them; those with hyphens in pieces. */
function partsOf(cell: string): string[] {
  return cell.split(/(?<= |\p{L}-)(?=\S)/u);
}

/** Takes from the widest column, again and again, until all fit; null where each is as narrow as it may be. */
function narrowed(widths: readonly number[], least: readonly number[], room: number): number[] | null {
  const fitting = [...widths];
  while (fitting.reduce((sum, width) => sum + width, 0) > room) {
    const able = fitting.map((width, column) => (width > (least[column] ?? 0) ? width : 0));
    const at = able.indexOf(Math.max(...able));
    if ((able[at] ?? 0) === 0) return null;
    fitting[at] = (fitting[at] ?? 0) - 1;
  }
  return fitting;
}

function drawnRow(row: readonly string[], widths: readonly number[], isFigure: readonly boolean[]): string[] {
  const cells = widths.map((width, at) => wrapped(row[at] ?? '', width));
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) => {
    const padded = cells.map((cell, at) => {
      const text = cell[line] ?? '';
      const space = ' '.repeat((widths[at] ?? 0) - shownWidth(text));
      return isFigure[at] === true ? `${space}${text}` : `${text}${space}`;
    });
    return `| ${padded.join(' | ')} |`;
  });
}

function wrapped(cell: string, width: number): string[] {
  const lines = [''];
  for (const part of partsOf(cell)) {
    const joined = `${lines.at(-1)}${part}`;
    if (shownWidth(joined.trimEnd()) <= width) lines[lines.length - 1] = joined;
    else lines.push(part);
  }
  return lines.map((line) => line.trimEnd()).filter((line, at) => line !== '' || at === 0);
}
