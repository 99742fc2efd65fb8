import { modeText } from './glossary.ts';
import {
  code,
  bullets,
  quote,
  sentence,
  strong,
  type Content,
  type Block,
  missingReasons,
  type Section,
  type Table,
} from './document.ts';
import { episodesReported, isolationText, notOursText, partsText, type Report, workersText } from './report.ts';
import { reportSections } from './report-sections.ts';
import { resultOf } from './sentence.ts';
import { dayText, leadText, titleText, programText } from './title.ts';
import { printable } from '../messages/printable.ts';

/** Text that cannot contain markup, nor an address that becomes a link. */
const PLAIN = /^(?!.*(?:\/\/|www\.))[\p{L}\p{N} ,;:.()'’“”…→×%/_-]*$/iu;

export function markdownSections(sections: readonly Section[], level = 2): string {
  return sections.map((each) => markdownSection(each, level).join('\n')).join('\n');
}

function markdownSection({ title, blocks }: Section, level: number): string[] {
  return blocks.length === 0 ? [] : [`${'#'.repeat(level)} ${title}`, '', ...markdownBlocks(blocks, level + 1)];
}

/** Blocks as lines of Markdown, an empty line below each. */
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

function inMarkdown(text: Content): string {
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

/**
 * Text from outside as a Markdown code span, shown literally on one line and in a table cell. The fence is longer than any run of
 * backticks in the text (CommonMark 6.1); a pipe would end the cell (GFM 4.10). Renderers disagree on a backslash before an escaped
 * pipe, so that one is written by its number.
 */
export function codeSpan(text: string): string {
  const shown = printable(text)
    // Matches a whole run of backslashes: a search from each of them would take quadratic time.
    .replaceAll(/(\\+)(\|?)/g, (run, slashes: string, pipe: string) =>
      pipe === '' ? run : `${'\\u005c'.repeat(slashes.length)}|`,
    )
    .replaceAll('|', '\\|');
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = shown.startsWith('`') || shown.endsWith('`') || shown === '' ? ' ' : '';
  return `${fence}${space}${shown}${space}${fence}`;
}

/** `report.md`: for a pull request or a terminal. */
export function markdownReport(report: Report): string {
  const { counts, blame } = resultOf(report);
  const head = markdownBlocks([
    { kind: 'text', text: leadText(report), quiet: false },
    {
      kind: 'text',
      text: [`${dayText(report.created_at)}: `, strong(counts), blame === '' ? '' : [' ', sentence(blame)]],
      quiet: false,
    },
    ...[bullets(factsOf(report))].filter((block) => block !== null),
  ]);
  return `# ${titleText(report)}\n\n${head.join('\n')}\n${markdownSections(reportSections(report))}`;
}

function factsOf(report: Report): Content[] {
  const { browser, complete } = report;
  const notOurs = notOursText(report);
  const more = [partsText(report), workersText(report)].flatMap((each) => (each === null ? [] : `; ${each}`));
  return [
    [
      `${programText(report)}; `,
      browser === null ? 'no browser' : [quote(`${browser.name} ${browser.version}`), ` (${browser.kind})`],
      notOurs === null ? '' : `, ${notOurs}`,
    ],
    [
      `Episodes: ${episodesReported(report)} of ${report.planned}`,
      complete ? '' : [' — ', strong('not complete')],
      ...more,
    ],
    `World: ${report.world_kinds.join(', ')}. Mode: ${report.modes.map(modeText).join(', ')}`,
    ...report.process_isolations.map((each) => `Processes of entrants kept apart: ${isolationText(each)}`),
    ['Outcome hash: ', code(report.outcome_hash), '; in the records this campaign is ', code(report.campaign_id)],
  ];
}
