import type { EntrantClaims } from '../../claim/claims.ts';
import { askedModels } from '../asked-models.ts';
import { numberText, secondsText } from '../figure-text.ts';
import type { Report } from '../report.ts';
import { SPREAD_NOTE, type SpreadCell, spreadCells } from '../spread-lines.ts';
import { columnHeads, entrantCell, figureCell, wideTable } from './entrant-name.ts';
import { type Markup, markup } from './markup.ts';

/** Tokens, model calls and times, the two kinds of time apart. */
export function effortSection({ claims: { entrants }, tables }: Pick<Report, 'claims' | 'tables'>): Markup {
  const lines = tables.entrants;
  const heads = [
    'entrant',
    'tokens in',
    'tokens out',
    'cached',
    'model calls',
    'model time',
    'end to end',
    'shortcuts',
    'cost per success',
  ];
  const rows = lines.map(
    (line, at) =>
      markup`<tr>${entrantCell(line, at)}${(['tokens_in', 'tokens_out', 'tokens_cached', 'turns'] as const).map((field) => figureCell(numberText(line[field].mean), line[field].why_null))}${figureCell(secondsText(line.model_ms.mean), line.model_ms.why_null)}${figureCell(secondsText(line.wall_ms.mean), line.wall_ms.why_null)}${figureCell(numberText(line.shortcut_calls.mean), line.shortcut_calls.why_null)}${figureCell(numberText(line.cost_per_success.value, ' USD'), line.cost_per_success.why_null)}</tr>`,
  );
  const models = askedModels(lines).map(
    ({ entrant, asked, returned }) =>
      markup`<li>${entrant}: <code>${asked}</code>; in its replies: ${returned.length === 0 ? 'no name' : markup`<code>${returned.join(', ')}</code>`}</li>`,
  );
  return markup`<section aria-labelledby="effort">
<h2 id="effort">What it took</h2>
<p>Means per episode. A shortcut is a call that may do at once what takes a user of the page several. A dash was not measured in every episode; point at it, or go there by Tab, to see why.</p>
${wideTable('Tokens, model calls, times and cost', markup`${columnHeads(heads)}<tbody>${rows}</tbody>`)}
<p>${SPREAD_NOTE}</p>
${wideTable('Median and p95 of time, tokens and cost', spreads(entrants, tables))}
${models.length === 0 ? null : markup`<p>Models that were asked, and what their replies call them:</p><ul>${models}</ul>`}
</section>`;
}

function spreads(entrants: readonly EntrantClaims[], tables: Report['tables']): Markup {
  const rows = entrants.map((entrant) => ({ entrant, cells: spreadCells(entrant, { tables }) }));
  const heads = rows.slice(0, 1).flatMap(({ cells }) => cells.map(({ head }) => head));
  return markup`${columnHeads(['entrant', ...heads])}<tbody>${rows.map(({ entrant, cells }, at) => markup`<tr>${entrantCell(entrant, at)}${cells.map(spreadCell)}</tr>`)}</tbody>`;
}

function spreadCell({ value, interval, why }: SpreadCell): Markup {
  return value === null
    ? figureCell(null, why)
    : markup`<td class="figure">${value} <small>${interval ?? '–'}</small></td>`;
}
