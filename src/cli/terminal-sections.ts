import { markdownSections } from '../report/markdown.ts';
import {
  type Block,
  type Column,
  missingReasons,
  plainText,
  type Section,
  type Table,
  table,
  type Content,
  section,
} from '../report/document.ts';
import { colours } from './colours.ts';
import { wrapped, inColumns, MAX_COLUMNS } from './layout.ts';
import { asTyped, type Terminal } from './terminal.ts';
import type { HeadlineAxis } from '../claim/policy.ts';
import { decisionsOn } from '../report/decisions.ts';
import type { Report } from '../report/report.ts';
import { claimSection, eligibility } from '../report/sections/claims.ts';

/** Draws sections as Markdown for a file or a pipe, and as text in columns for a terminal. */
export function forReader(sections: readonly Section[], terminal: Pick<Terminal, 'columns' | 'command'>): string[] {
  const { columns } = terminal;
  if (columns === undefined) return asTyped(markdownSections(sections, 1), terminal).split('\n');
  return sections.flatMap((each) => sectionLines(each, columns));

  function sectionLines({ title, blocks }: Section, width: number): string[] {
    return blocks.length === 0 ? [] : [colours.bold(title), '', ...blockLines(blocks, width, terminal)];
  }
}

/** Draws blocks as text, each followed by an empty line. */
export function blockLines(
  blocks: readonly Block[],
  width = MAX_COLUMNS,
  terminal: Pick<Terminal, 'command'> = {},
): string[] {
  const words = (text: Content): string => asTyped(plainText(text), terminal);
  return blocks.flatMap((block) => {
    switch (block.kind) {
      case 'text':
        return [...wrapped(words(block.text), width), ''];
      case 'heading':
        return [colours.bold(words(block.text)), ''];
      case 'list':
        return [...block.items.flatMap((item) => hanging(words(item), width)), ''];
      case 'folded':
        return [...wrapped(words(block.summary), width), '', ...blockLines(block.blocks, width, terminal)];
      case 'table':
        return [
          ...tableLines(block, width),
          ...missingReasons(block).flatMap((each) => hanging(words(each), width)),
          '',
        ];
    }
  });
}

function hanging(text: string, width: number): string[] {
  return wrapped(text, width - 2).map((line, at) => `${at === 0 ? '- ' : '  '}${line}`);
}

/** Draws a table; in a file or a pipe, rows are not broken. */
export function tableOf<Line>(
  columns: readonly Column<Line>[],
  lines: readonly Line[],
  { columns: width = Infinity }: Pick<Terminal, 'columns'> = {},
): string[] {
  return tableLines(table('', columns, lines), width);
}

/** Draws columns below their heads; on a narrow terminal, the first cell with the others and their heads next to it. */
function tableLines({ heads, rows }: Table, width: number): string[] {
  const shown = heads.flatMap(({ drawn, ...head }, at) => (drawn ? [] : [{ ...head, at }]));
  const names = shown.map(({ head }) => head);
  const cells = rows.map((row) => shown.map(({ at }) => plainText(row.cells[at]?.text ?? '–')));
  const isFigure = shown.map(({ words }) => !words);
  const [head, ...body] = inColumns([names, ...cells], isFigure, width) ?? [];
  if (head !== undefined) return [colours.bold(head), ...body];
  const pairs = cells.map(([first = '', ...others]) => [
    first,
    others.flatMap((cell, at) => (cell === '–' ? [] : [`${names[at + 1] ?? ''}: ${cell}`])).join('; '),
  ]);
  return inColumns(pairs, [false, false], width) ?? pairs.map((pair) => pair.join('  '));
}

const OTHERS: readonly [axis: HeadlineAxis, title: string][] = [
  ['fault_recovery', 'Claims about recovering from faults'],
  ['authentication', 'Claims about tasks behind a login'],
];

/** Lists the claims of a campaign on every axis, with each reason against others and its remedy. */
export function claimSections({ claims, headlines }: Pick<Report, 'claims' | 'headlines'>): Section[] {
  const others = OTHERS.filter(([axis]) => decisionsOn(claims, axis).length > 0);
  return [
    claimSection({ claims, headlines }),
    ...others.map(([axis, title]) => section(axis, title, ...eligibility(claims, axis))),
  ];
}
