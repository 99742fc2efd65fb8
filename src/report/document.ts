import type { Grade } from '../claim/eligibility.ts';
import type { Entrant } from '../claim/figures.ts';
import type { Share } from '../claim/figure-fields.ts';
import { intervalText } from './numbers.ts';
import type { Markup } from './html/markup.ts';

/** Content of a report. A plain string is ours; each renderer makes the other parts harmless. */
export type Content = string | number | Part | readonly Content[];

type Part =
  /** A name of ours, or a command. */
  | { as: 'code'; text: string }
  /** Text from a page, an agent, a provider or an author. */
  | { as: 'quote'; text: string }
  /** A sentence of ours that may contain a name from outside. */
  | { as: 'sentence'; text: string }
  | { as: 'strong'; text: string }
  /** Small print behind a figure. */
  | { as: 'small'; text: string }
  | { as: 'grade'; text: Grade }
  | { as: 'entrant'; entrant: Entrant; number: number | null };

export const code = (text: string): Content => ({ as: 'code', text });
export const quote = (text: string): Content => ({ as: 'quote', text });
export const sentence = (text: string): Content => ({ as: 'sentence', text });
export const strong = (text: string): Content => ({ as: 'strong', text });
export const small = (text: string): Content => ({ as: 'small', text });
export const graded = (text: Grade): Content => ({ as: 'grade', text });

export function listed(texts: readonly Content[], separator = ', '): Content {
  return texts.flatMap((text, at) => (at === 0 ? [text] : [separator, text]));
}

/** The text without its markup, not yet printable. */
export function plainText(text: Content): string {
  if (typeof text !== 'object') return String(text);
  if (!('as' in text)) return text.map(plainText).join('');
  if (text.as === 'small') return `(${text.text})`;
  return text.as === 'entrant' ? `${text.entrant.agent} through ${text.entrant.surface}` : text.text;
}

/** A column of a table: its head, its value, and why a value is missing. */
export interface Column<Line> {
  head: string;
  text: (line: Line, at: number) => Content | null;
  /** Why the value is missing. */
  whyNull?: (line: Line) => string | null;
  /** Words are aligned to the left, figures to the right. */
  words?: boolean;
  /** Colours the cell by a share; `control` is grey. */
  heat?: (line: Line) => number | 'control' | null;
  /** Draws the cell; renderers that cannot draw leave the column out. */
  drawing?: (line: Line) => Markup;
}

/** Entrants have the same number in every table. */
export const ENTRANT: Column<Entrant> = {
  head: 'entrant',
  words: true,
  text: (entrant, at) => ({ as: 'entrant', entrant, number: at + 1 }),
};

/** For tables with several lines per entrant. */
export const ENTRANT_AGAIN: Column<Entrant> = {
  ...ENTRANT,
  text: (entrant) => ({ as: 'entrant', entrant, number: null }),
};

/** A share with its interval; null without episodes. */
export function shareText({ count, of, interval }: Share): Content | null {
  return of === 0 ? null : [`${count} of ${of} `, small(`${intervalText(interval) ?? '–'} %`)];
}

export interface Cell {
  text: Content | null;
  why: string | null;
  heat: number | 'control' | null;
  drawing: Markup | null;
}

export interface Table {
  kind: 'table';
  label: string;
  heads: { head: string; words: boolean; drawn: boolean }[];
  /** `aside`: of a control or a baseline. */
  rows: { cells: Cell[]; aside: boolean }[];
}

export type Block =
  | { kind: 'text'; text: Content; quiet: boolean }
  | { kind: 'heading'; text: Content }
  | { kind: 'list'; items: readonly Content[] }
  | { kind: 'folded'; summary: Content; blocks: readonly Block[] }
  | Table;

/** Blocks and conditions: nulls are left out. */
export type Blocks = readonly (Block | null)[];

export interface Section {
  id: string;
  title: string;
  blocks: readonly Block[];
}

export function section(id: string, title: string, ...blocks: Blocks): Section {
  return { id, title, blocks: present(blocks) };
}

export const text = (...parts: Content[]): Block => ({ kind: 'text', text: parts, quiet: false });
export const quiet = (...parts: Content[]): Block => ({ kind: 'text', text: parts, quiet: true });
export const heading = (...parts: Content[]): Block => ({ kind: 'heading', text: parts });

export function bullets(items: readonly Content[]): Block | null {
  return items.length === 0 ? null : { kind: 'list', items };
}

export function fold(summary: Content, ...blocks: Blocks): Block {
  return { kind: 'folded', summary, blocks: present(blocks) };
}

export function foldedIf(isEmpty: boolean, summary: Content, ...blocks: Blocks): Blocks {
  return isEmpty ? [fold(summary, ...blocks)] : blocks;
}

export function table<Line>(
  label: string,
  columns: readonly Column<Line>[],
  lines: readonly Line[],
  isAside: (line: Line) => boolean = () => false,
): Table {
  return {
    kind: 'table',
    label,
    heads: columns.map(({ head, words = false, drawing }) => ({ head, words, drawn: drawing !== undefined })),
    rows: lines.map((line, at) => ({
      aside: isAside(line),
      cells: columns.map((column) => cellOf(column, line, at)),
    })),
  };
}

function cellOf<Line>({ text: textOf, whyNull, heat, drawing }: Column<Line>, line: Line, at: number): Cell {
  const found = textOf(line, at);
  return {
    text: found,
    why: found === null ? (whyNull?.(line) ?? null) : null,
    heat: heat?.(line) ?? null,
    drawing: drawing?.(line) ?? null,
  };
}

function present(blocks: Blocks): Block[] {
  return blocks.filter((block) => block !== null);
}

/** The reasons for the dashes in a table, for renderers without tooltips. */
export function missingReasons({ heads, rows }: Table): Content[] {
  const reasons = new Map<string, Set<string>>();
  for (const { cells } of rows) {
    for (const [at, { why }] of cells.entries()) {
      if (why === null) continue;
      const columns = reasons.get(why) ?? new Set();
      reasons.set(why, columns.add(heads[at]?.head ?? ''));
    }
  }
  return [...reasons].map(([why, columns]) => [`– in ${[...columns].join(', ')}: `, quote(why)]);
}
