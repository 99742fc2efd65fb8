import type { Entrant } from '../../claim/figures.ts';
import type { Share } from '../../claim/share.ts';
import { intervalText } from '../figure-text.ts';
import { type Markup, markup } from './markup.ts';

/** An entrant, as every table and plot of the page calls it: the same number, the same words. `gloss`: one line about its agent. */
export function entrantCell({ agent, surface }: Entrant, at: number, gloss: string | null = null): Markup {
  return markup`<th scope="row"><span class="number">${at + 1}</span> ${agent} <span class="through">through</span> ${surface}${gloss === null ? null : markup`<span class="gloss">${gloss}</span>`}</th>`;
}

/** A column of a table, and its cell in the row of a line: the element, with its class. */
export interface DrawnColumn<Line> {
  head: string;
  cell: (line: Line, at: number) => Markup;
}

/** Who a line is of, with the number that it has everywhere. */
export const ENTRANT_COLUMN: DrawnColumn<Entrant> = {
  head: 'entrant',
  cell: (entrant, at) => entrantCell(entrant, at),
};

/** The same without its number, where a table has several lines of one. */
export const UNNUMBERED: DrawnColumn<Entrant> = {
  head: 'entrant',
  cell: ({ agent, surface }) => markup`<th scope="row">${agent} <span class="through">through</span> ${surface}</th>`,
};

/** A cell with a figure; what is null is a dash, with why it is. */
export function figureCell(text: string | null, why: string | null = null): Markup {
  if (text !== null) return markup`<td class="figure">${text}</td>`;
  return why === null
    ? markup`<td class="figure">–</td>`
    : markup`<td class="figure"><span class="missing" tabindex="0" role="note" title="${why}" aria-label="not measured: ${why}">–</span></td>`;
}

export function shareCell({ count, of, interval }: Share, why: string | null = null): Markup {
  if (of === 0) return figureCell(null, why);
  return markup`<td class="figure">${count} of ${of} <small>${intervalText(interval)} %</small></td>`;
}

/** A table of figures; its first column names the lines. Those that are beside the point are grey. */
export function figureTable<Line>(
  label: string,
  columns: readonly DrawnColumn<Line>[],
  lines: readonly Line[],
  isBeside: (line: Line) => boolean = () => false,
): Markup {
  const heads = columns.map(
    ({ head }, at) => markup`<th scope="col"${at === 0 ? null : markup` class="figure"`}>${head}</th>`,
  );
  const rows = lines.map(
    (line, at) =>
      markup`<tr${isBeside(line) ? markup` class="aside"` : null}>${columns.map(({ cell }) => cell(line, at))}</tr>`,
  );
  return wideTable(label, markup`<thead><tr>${heads}</tr></thead><tbody>${rows}</tbody>`);
}

/** A table that may be wider than the page: it scrolls, by keyboard too. */
export function wideTable(label: string, content: Markup): Markup {
  return markup`<div class="wide" role="region" aria-label="Table: ${label}" tabindex="0"><table>${content}</table></div>`;
}

/** Fold what says no more than its summary behind that; leave anything else as it is. */
export function foldedWhere(isEmpty: boolean, summary: string, content: Markup): Markup {
  return isEmpty ? markup`<details><summary>${summary}</summary>${content}</details>` : content;
}
