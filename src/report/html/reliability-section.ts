import type { EntrantClaims } from '../../claim/claims.ts';
import { percent } from '../figure-text.ts';
import { RELIABILITY_NOTE, reliabilityColumns } from '../spread-lines.ts';
import { ENTRANT_COLUMN, figureCell, figureTable, foldedWhere } from './entrant-name.ts';
import { type Markup, markup } from './markup.ts';

/** pass@k and pass^k: that one of k repetitions passes, and that all do. */
export function reliabilitySection(entrants: readonly EntrantClaims[]): Markup {
  const columns = reliabilityColumns(entrants).map(({ head, rateOf }) => ({
    head,
    cell: (entrant: EntrantClaims) => rateCell(rateOf(entrant)),
  }));
  return markup`<section aria-labelledby="reliability">
<h2 id="reliability">Reliability: pass@k and pass^k</h2>
<p>${RELIABILITY_NOTE}${columns.length > 1 ? null : ' Every task was run once, so only k = 1 is known, which is the share of tasks that passed.'}</p>
${foldedWhere(columns.length <= 1, 'The figures', figureTable('pass@k and pass^k by entrant', [ENTRANT_COLUMN, ...columns], entrants))}
</section>`;
}

function rateCell(rate: number | null): Markup {
  if (rate === null) return figureCell(null);
  return markup`<td class="figure heat h${Math.round(rate * 10)}">${percent(rate)} %</td>`;
}
