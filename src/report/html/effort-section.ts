import type { EntrantClaims } from '../../claim/claims.ts';
import type { Entrant } from '../../claim/figures.ts';
import { groupBy } from '../../claim/group.ts';
import type { OutcomeLine } from '../../claim/outcome-tables.ts';
import { agentsBeside } from '../as-it-must.ts';
import { askedModels } from '../asked-models.ts';
import { timeClaimText } from '../decisions.ts';
import { numberText } from '../figure-text.ts';
import { EFFORT_COLUMNS } from '../outcome-lines.ts';
import type { Report } from '../report.ts';
import { SPREAD_NOTE, type Spread, spreadColumns } from '../spread-lines.ts';
import { type DrawnColumn, ENTRANT_COLUMN, figureCell, figureTable } from './entrant-name.ts';
import { type Markup, markup } from './markup.ts';

const MEASURES: typeof EFFORT_COLUMNS = [
  ...EFFORT_COLUMNS,
  {
    head: 'cost per success',
    textOf: ({ cost_per_success: { value } }) => numberText(value, ' USD'),
    whyOf: ({ cost_per_success: { why_null: why } }) => why,
  },
];

/** Tokens, model calls and times, the two kinds of time apart. */
export function effortSection({ claims, tables, agents }: Pick<Report, 'claims' | 'tables' | 'agents'>): Markup {
  const beside = agentsBeside(agents);
  const isBeside = ({ agent }: Entrant): boolean => beside.has(agent);
  const { entrants } = claims;
  const lines = tables.entrants;
  const [known, unknown] = [true, false].map((isKnown) =>
    MEASURES.filter(({ textOf }) => lines.some((line) => textOf(line) !== null) === isKnown),
  );
  const spreads = spreadColumns({ tables })
    .filter(({ spreadOf }) => entrants.some((each) => spreadOf(each).value !== null))
    .map(({ head, spreadOf }) => ({
      head,
      cell: (entrant: EntrantClaims) => spreadCell(spreadOf(entrant)),
    }));
  const hasDash = lines.some((line) => known?.some(({ textOf }) => textOf(line) === null));
  const models = askedModels(lines).map(
    ({ entrant, asked, returned }) =>
      markup`<li>${entrant}: <code>${asked}</code>; in its replies: ${returned.length === 0 ? 'no name' : markup`<code>${returned.join(', ')}</code>`}</li>`,
  );
  return markup`<section aria-labelledby="effort">
<h2 id="effort">What it took</h2>
${spreads.length === 0 ? null : markup`<p>${SPREAD_NOTE}</p>${figureTable('Median and p95 of time, tokens and cost', [ENTRANT_COLUMN, ...spreads], entrants, isBeside)}`}
<p>Means per episode. A shortcut is a call that may do at once what takes a user of the page several.${hasDash ? ' A dash means that it was not measured in every episode: point at it, or move to it with the Tab key, to see why.' : null}</p>
${known === undefined || known.length === 0 ? null : figureTable('Tokens, model calls, times and cost', [ENTRANT_COLUMN, ...known.map(columnOf)], lines, isBeside)}
${notMeasured(unknown ?? [], lines)}
<p>${timeClaimText(claims)}</p>
${models.length === 0 ? null : markup`<p>Models that were asked, and what their replies call them:</p><ul>${models}</ul>`}
</section>`;
}

function columnOf({ head, textOf, whyOf }: (typeof MEASURES)[number]): DrawnColumn<OutcomeLine> {
  return { head, cell: (line) => figureCell(textOf(line), whyOf(line)) };
}

/** Says in one line what was measured of no entrant and why, where columns of dashes would hide what was. */
function notMeasured(unknown: typeof MEASURES, lines: readonly OutcomeLine[]): Markup | null {
  if (unknown.length === 0 || lines.length === 0) return null;
  const whys = groupBy(unknown, ({ whyOf }) =>
    [...new Set(lines.flatMap((line) => whyOf(line) ?? []))].join(', or ').replace(/^$/, 'it is not known why'),
  );
  const parts = [...whys].map(([why, measures]) => `${measures.map(({ head }) => head).join(', ')} (${why})`);
  return markup`<p>Not measured of anybody: ${parts.join('; ')}.</p>`;
}

function spreadCell({ value, interval, why }: Spread): Markup {
  return value === null
    ? figureCell(null, why)
    : markup`<td class="figure">${value} <small>${interval ?? '–'}</small></td>`;
}
