import type { Block, Cell, Section, Table, Content } from '../document.ts';
import { type Markup, markup } from './markup.ts';

export function htmlSection({ id, title, blocks }: Section, drawing: Markup | null = null): Markup {
  return markup`<section aria-labelledby="${id}" class="${id}">
<h2 id="${id}">${title}</h2>
${htmlBlocks(blocks, drawing)}
</section>`;
}

/** @param drawing shown before the first table, also of a folded part */
export function htmlBlocks(blocks: readonly Block[], drawing: Markup | null = null): Markup[] {
  const first = blocks.find(({ kind }) => kind === 'table' || kind === 'folded');
  return blocks.map((block) => {
    const own = block === first ? drawing : null;
    switch (block.kind) {
      case 'text':
        return markup`<p${block.quiet ? markup` class="quiet"` : null}>${inHtml(block.text)}</p>`;
      case 'heading':
        return markup`<h3>${inHtml(block.text)}</h3>`;
      case 'list':
        return markup`<ul>${block.items.map((item) => markup`<li>${inHtml(item)}</li>`)}</ul>`;
      case 'folded':
        return markup`<details><summary>${inHtml(block.summary)}</summary>${htmlBlocks(block.blocks, own)}</details>`;
      case 'table':
        return markup`${own}${htmlTable(block)}`;
    }
  });
}

/** A table that scrolls, by keyboard too, if it is wider than the page. */
export function wideTable(label: string, content: Markup): Markup {
  return markup`<div class="wide" role="region" aria-label="Table: ${label}" tabindex="0"><table>${content}</table></div>`;
}

function htmlTable({ label, heads, rows }: Table): Markup {
  const head = heads.map(
    ({ head: name, words }) => markup`<th scope="col"${words ? null : markup` class="figure"`}>${name}</th>`,
  );
  const body = rows.map(
    ({ cells, aside }) =>
      markup`<tr${aside ? markup` class="aside"` : null}>${cells.map((cell, at) => htmlCell(cell, at === 0, heads[at]?.words ?? false))}</tr>`,
  );
  return wideTable(label, markup`<thead><tr>${head}</tr></thead><tbody>${body}</tbody>`);
}

/** The first cell names the line; a dash has its reason as a tooltip. */
function htmlCell({ text, why, heat, drawing }: Cell, isFirst: boolean, isWords: boolean): Markup {
  if (drawing !== null) return markup`<td class="drawn">${drawing}</td>`;
  if (text === null) {
    return why === null
      ? markup`<td class="figure">–</td>`
      : markup`<td class="figure"><span class="missing" tabindex="0" role="note" title="${why}" aria-label="not measured: ${why}">–</span></td>`;
  }
  if (isFirst) return markup`<th scope="row">${inHtml(text)}</th>`;
  const classes = [...(isWords ? [] : ['figure']), ...(heat === null ? [] : ['heat', heatOf(heat)])].join(' ');
  return markup`<td${classes === '' ? null : markup` class="${classes}"`}>${inHtml(text)}</td>`;
}

function heatOf(share: number | 'control'): string {
  return share === 'control' ? share : `h${Math.round(share * 10)}`;
}

/** An option, which browsers would break at its hyphens. */
const OPTION = /((?<![\w-])--[a-z][a-z-]*)/;

export function inHtml(text: Content): Markup {
  if (typeof text === 'number') return markup`${text}`;
  if (typeof text === 'string') return unbroken(text);
  if (!('as' in text)) return markup`${text.map(inHtml)}`;
  switch (text.as) {
    case 'code':
      return markup`<code>${unbroken(text.text)}</code>`;
    case 'quote':
    case 'sentence':
      return unbroken(text.text);
    case 'strong':
      return markup`<strong>${text.text}</strong>`;
    case 'small':
      return markup`<small>${text.text}</small>`;
    case 'grade':
      return markup`<span class="grade ${text.text}">${text.text}</span>`;
    case 'entrant': {
      const { entrant, number } = text;
      const name = markup`${entrant.agent} <span class="through">through</span> ${entrant.surface}`;
      return number === null ? name : markup`<span class="number">${number}</span> ${name}`;
    }
  }
}

/** Keeps options such as `--out` on one line. */
export function unbroken(text: string): Markup {
  const parts = text.split(OPTION);
  return markup`${parts.map((part, at) => (at % 2 === 1 ? markup`<span class="whole">${part}</span>` : markup`${part}`))}`;
}
