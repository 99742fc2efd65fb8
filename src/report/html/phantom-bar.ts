import type { OutcomeLine } from '../../claim/outcome-tables.ts';
import { type Markup, markup } from './markup.ts';

/** Outcomes of phantoms, from the best to the worst. */
export const PHANTOMS = ['none', 'filtered', 'reached_failed', 'reached_succeeded'] as const;

/** Draws the shares of these outcomes. */
export function phantomBar({ phantoms }: OutcomeLine): Markup {
  const { of } = phantoms.none;
  if (of === 0) return markup`<span class="quiet">not measured</span>`;
  let from = 0;
  const parts = PHANTOMS.map((name) => {
    const width = (phantoms[name].count / of) * 100;
    const part = markup`<rect class="${name}" x="${from.toFixed(2)}%" width="${width.toFixed(2)}%" y="4" height="14"/>`;
    from += width;
    return part;
  });
  const { not_measured: rest, why_null: why } = phantoms;
  const missing = rest === 0 ? null : markup`<small title="${why}">${rest} not measured</small>`;
  return markup`<svg aria-hidden="true" height="22" width="100%">${parts}</svg>${missing}`;
}

/** Names the colours of the bars. */
export const PHANTOM_KEYS: Markup = markup`<ul class="keys" aria-hidden="true">${PHANTOMS.map((name) => markup`<li><span class="key ${name}"></span>${name}</li>`)}</ul>`;
