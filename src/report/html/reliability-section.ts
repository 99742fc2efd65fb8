import type { EntrantClaims } from '../../claim/claims.ts';
import { percent } from '../figure-text.ts';
import { RELIABILITY_NOTE, reliabilityColumns } from '../spread-lines.ts';
import { columnHeads, entrantCell, figureCell, wideTable } from './entrant-name.ts';
import { type Markup, markup } from './markup.ts';

/** pass@k and pass^k: that one of k repetitions passes, and that all do. */
export function reliabilitySection(entrants: readonly EntrantClaims[]): Markup {
  const columns = reliabilityColumns(entrants);
  const cells = (entrant: EntrantClaims) =>
    columns.map(({ rateOf }) => {
      const rate = rateOf(entrant);
      if (rate === null) return figureCell(null);
      return markup`<td class="figure heat h${Math.round(rate * 10)}">${percent(rate)} %</td>`;
    });
  return markup`<section aria-labelledby="reliability">
<h2 id="reliability">Reliability: pass@k and pass^k</h2>
<p>${RELIABILITY_NOTE}${columns.length > 1 ? null : ' Every task was run once, so only k = 1 is known.'}</p>
${wideTable('pass@k and pass^k by entrant', markup`${columnHeads(['entrant', ...columns.map(({ head }) => head)])}<tbody>${entrants.map((entrant, at) => markup`<tr>${entrantCell(entrant, at)}${cells(entrant)}</tr>`)}</tbody>`)}
</section>`;
}
