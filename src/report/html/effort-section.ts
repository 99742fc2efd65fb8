import type { EntrantClaims } from '../../claim/claims.ts';
import type { OutcomeLine } from '../../claim/outcome-tables.ts';
import { askedModels } from '../asked-models.ts';
import { timeClaimText } from '../decisions.ts';
import { numberText } from '../figure-text.ts';
import { EFFORT_COLUMNS } from '../outcome-lines.ts';
import type { Report } from '../report.ts';
import { SPREAD_NOTE, type Spread, spreadColumns } from '../spread-lines.ts';
import { type DrawnColumn, ENTRANT_COLUMN, figureCell, figureTable } from './entrant-name.ts';
import { type Markup, markup } from './markup.ts';

const COLUMNS: readonly DrawnColumn<OutcomeLine>[] = [
  ENTRANT_COLUMN,
  ...EFFORT_COLUMNS.map(({ head, textOf, whyOf }) => ({
    head,
    cell: (line: OutcomeLine) => figureCell(textOf(line), whyOf(line)),
  })),
  {
    head: 'cost per success',
    cell: ({ cost_per_success: { value, why_null: why } }) => figureCell(numberText(value, ' USD'), why),
  },
];

/** Tokens, model calls and times, the two kinds of time apart. */
export function effortSection({ claims, tables }: Pick<Report, 'claims' | 'tables'>): Markup {
  const { entrants } = claims;
  const lines = tables.entrants;
  const spreads = spreadColumns({ tables }).map(({ head, spreadOf }) => ({
    head,
    cell: (entrant: EntrantClaims) => spreadCell(spreadOf(entrant)),
  }));
  const models = askedModels(lines).map(
    ({ entrant, asked, returned }) =>
      markup`<li>${entrant}: <code>${asked}</code>; in its replies: ${returned.length === 0 ? 'no name' : markup`<code>${returned.join(', ')}</code>`}</li>`,
  );
  return markup`<section aria-labelledby="effort">
<h2 id="effort">What it took</h2>
<p>Means per episode. A shortcut is a call that may do at once what takes a user of the page several. A dash was not measured in every episode; point at it, or go there by Tab, to see why.</p>
${figureTable('Tokens, model calls, times and cost', COLUMNS, lines)}
<p>${SPREAD_NOTE} ${timeClaimText(claims)}</p>
${figureTable('Median and p95 of time, tokens and cost', [ENTRANT_COLUMN, ...spreads], entrants)}
${models.length === 0 ? null : markup`<p>Models that were asked, and what their replies call them:</p><ul>${models}</ul>`}
</section>`;
}

function spreadCell({ value, interval, why }: Spread): Markup {
  return value === null
    ? figureCell(null, why)
    : markup`<td class="figure">${value} <small>${interval ?? '–'}</small></td>`;
}
