import type { EntrantClaims } from '../../claim/claims.ts';
import { agentsBeside } from '../as-it-must.ts';
import { percent } from '../figure-text.ts';
import { RELIABILITY_NOTE, reliabilityColumns } from '../spread-lines.ts';
import { ENTRANT_COLUMN, figureCell, figureTable, foldedWhere } from './entrant-name.ts';
import type { Report } from '../report.ts';
import { type Markup, markup } from './markup.ts';

/** pass@k and pass^k: that one of k repetitions passes, and that all do. */
export function reliabilitySection({ claims: { entrants }, agents }: Pick<Report, 'claims' | 'agents'>): Markup {
  const beside = agentsBeside(agents);
  const columns = reliabilityColumns(entrants).map(({ head, rateOf }) => ({
    head,
    cell: (entrant: EntrantClaims) => rateCell(rateOf(entrant), beside.has(entrant.agent)),
  }));
  return markup`<section aria-labelledby="reliability">
<h2 id="reliability">Reliability</h2>
<p>${RELIABILITY_NOTE}${columns.length > 1 ? null : ' Every task was run once, so only k = 1 is known, which is the share of tasks that passed.'}</p>
${foldedWhere(
  columns.length <= 1,
  'The figures',
  figureTable('pass@k and pass^k by entrant', [ENTRANT_COLUMN, ...columns], entrants, ({ agent }) => beside.has(agent)),
)}
</section>`;
}

/** @param isBeside whether it competes with nobody: what it passes nothing of is no failure of it */
function rateCell(rate: number | null, isBeside: boolean): Markup {
  if (rate === null) return figureCell(null);
  return markup`<td class="figure heat ${isBeside && rate === 0 ? 'control' : `h${Math.round(rate * 10)}`}">${percent(rate)} %</td>`;
}
