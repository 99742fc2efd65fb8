import { printable } from '../messages/printable.ts';
import { codeSpan } from './code-span.ts';
import { type Block, missingReasons, type Section, type Table, type Content } from './document.ts';

/** Words of ours, in which nothing can be markup. */
const PLAIN = /^(?!.*\/\/)[\p{L}\p{N} ,;:()'%/_-]*$/u;

/** Sections as Markdown, below a heading of this level. */
export function markdownSections(sections: readonly Section[], level = 2): string {
  return sections.map((each) => markdownSection(each, level).join('\n')).join('\n');
}

function markdownSection({ title, blocks }: Section, level: number): string[] {
  return blocks.length === 0 ? [] : [`${'#'.repeat(level)} ${title}`, '', ...markdownBlocks(blocks, level + 1)];
}

/** Blocks as lines of Markdown, each block with an empty line below it. */
export function markdownBlocks(blocks: readonly Block[], level = 3): string[] {
  return blocks.flatMap((block) => {
    switch (block.kind) {
      case 'text':
        return [inMarkdown(block.text), ''];
      case 'heading':
        return [`${'#'.repeat(level)} ${inMarkdown(block.text)}`, ''];
      case 'list':
        return [...block.items.map((item) => `- ${inMarkdown(item)}`), ''];
      case 'folded':
        return [inMarkdown(block.summary), '', ...markdownBlocks(block.blocks, level)];
      case 'table':
        return [...markdownTable(block), '', ...reasonLines(block)];
    }
  });
}

function reasonLines(table: Table): string[] {
  const reasons = missingReasons(table).map((each) => `- ${inMarkdown(each)}`);
  return reasons.length === 0 ? [] : [...reasons, ''];
}

function markdownTable({ heads, rows }: Table): string[] {
  const shown = heads.map(({ drawn }) => !drawn);
  const line = (cells: readonly string[]) => `| ${cells.filter((_, at) => shown[at]).join(' | ')} |`;
  return [
    line(heads.map(({ head }) => head)),
    `|${heads.flatMap(({ words, drawn }) => (drawn ? [] : [words ? '---' : '---:'])).join('|')}|`,
    ...rows.map(({ cells }) => line(cells.map(({ text }) => (text === null ? '–' : inMarkdown(text))))),
  ];
}

export function inMarkdown(text: Content): string {
  if (typeof text !== 'object') return printable(String(text));
  if (!('as' in text)) return text.map(inMarkdown).join('');
  switch (text.as) {
    case 'code':
    case 'quote':
      return codeSpan(text.text);
    case 'sentence':
      return PLAIN.test(text.text) ? text.text : codeSpan(text.text);
    case 'strong':
      return `**${text.text}**`;
    case 'small':
      return `(${text.text})`;
    case 'grade':
      return text.text;
    case 'entrant':
      return `${text.entrant.agent} through ${text.entrant.surface}`;
  }
}
