import type { EntrantClaims } from '../../claim/claims.ts';
import { intervalText, percent } from '../figure-text.ts';
import { entrantCell, figureCell } from './entrant-name.ts';
import { type Markup, markup } from './markup.ts';

const TICKS = [0, 25, 50, 75, 100];

/**
 * Success of each entrant with its interval: a table whose middle column is drawn. So its text is all there for whoever
 * does not see it.
 */
export function forestPlot(entrants: readonly EntrantClaims[]): Markup {
  return markup`<section aria-labelledby="success">
<h2 id="success">Success</h2>
<p>The dot is the share of all episodes that passed, the bar its 95 % interval over tasks, the pale band what it could be, had all unknown episodes failed or passed.</p>
<table class="forest">
<caption class="hidden">Success by entrant, in percent</caption>
<thead><tr><th scope="col">entrant</th><th scope="col" class="drawn"><span class="hidden">drawn from 0 to 100 %</span>${axis()}</th><th scope="col" class="figure">passed</th><th scope="col" class="figure">95 % interval</th></tr></thead>
<tbody>${entrants.map(line)}</tbody>
</table>
</section>`;
}

function axis(): Markup {
  const labels = TICKS.map((at) => {
    const anchor = at === 0 ? 'start' : at === 100 ? 'end' : 'middle';
    return markup`<text class="${at % 50 === 0 ? 'half' : 'quarter'}" x="${at}%" y="14" text-anchor="${anchor}">${at}</text>`;
  });
  return markup`<svg aria-hidden="true" height="18" width="100%">${labels}</svg>`;
}

function line({ agent, surface, success }: EntrantClaims, at: number): Markup {
  const { passed, bounds } = success;
  const figure = passed.rate === null ? null : `${percent(passed.rate)} % (${passed.successes} of ${passed.trials})`;
  return markup`<tr>${entrantCell({ agent, surface }, at)}<td class="drawn"><svg aria-hidden="true" height="28" width="100%">
${TICKS.map((tick) => markup`<line class="grid" x1="${tick}%" x2="${tick}%" y1="0" y2="28"/>`)}
${bounds === null ? null : markup`<rect class="bounds" x="${shown(bounds.low)}" width="${shown(bounds.high - bounds.low)}" y="6" height="16"/>`}
${passed.interval === null ? null : markup`<line class="interval" x1="${shown(passed.interval.low)}" x2="${shown(passed.interval.high)}" y1="14" y2="14"/>`}
${passed.rate === null ? null : markup`<circle class="rate" cx="${shown(passed.rate)}" cy="14" r="5"/>`}
</svg></td>${figureCell(figure)}${figureCell(intervalText(passed.interval))}</tr>`;
}

/** A place on the axis. */
function shown(rate: number): string {
  return `${(rate * 100).toFixed(2)}%`;
}
