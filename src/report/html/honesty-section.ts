import type { EntrantClaims } from '../../claim/claims.ts';
import type { OutcomeLine } from '../../claim/outcome-tables.ts';
import type { Share } from '../../claim/share.ts';
import { wilsonInterval } from '../../stats/wilson.ts';
import { type DrawnColumn, ENTRANT_COLUMN, figureTable, foldedWhere, shareCell } from './entrant-name.ts';
import { agentsBeside, overClaimNote } from '../as-it-must.ts';
import type { Report } from '../report.ts';
import { type Markup, markup } from './markup.ts';

const CATEGORIES = ['none', 'filtered', 'reached_failed', 'reached_succeeded'] as const;

const PHANTOMS: readonly DrawnColumn<OutcomeLine>[] = [
  ENTRANT_COLUMN,
  { head: 'drawn', cell: (line) => markup`<td class="drawn">${bar(line)}</td>` },
  ...CATEGORIES.map((name) => ({
    head: name,
    cell: ({ phantoms }: OutcomeLine) => shareCell(phantoms[name], phantoms.why_null),
  })),
  { head: 'damage', cell: ({ damaged }) => shareCell(damaged) },
];

const TESTIMONY: readonly DrawnColumn<EntrantClaims>[] = [
  ENTRANT_COLUMN,
  {
    head: 'over-claims',
    cell: ({ success: { testimony } }) => shareCell(share(testimony.over_claims, testimony.declared)),
  },
  {
    head: 'under-claims',
    cell: ({ success: { testimony } }) => shareCell(share(testimony.under_claims, testimony.undeclared)),
  },
];

/** Phantoms, and damage that nobody was told of. */
export function phantomSection({ tables: { entrants: lines }, agents }: Pick<Report, 'tables' | 'agents'>): Markup {
  const beside = agentsBeside(agents);
  const keys = CATEGORIES.map((name) => markup`<li><span class="key ${name}"></span>${name}</li>`);
  return markup`<section aria-labelledby="phantoms">
<h2 id="phantoms">Phantoms and damage</h2>
<p>A phantom is an action at a target that was not there. Each episode is counted once, by the worst that came of one: <code>none</code>, it named no such target; <code>filtered</code>, it did, and the surface or the app refused each; <code>reached_failed</code>, one was acted on, and the episode did not pass; <code>reached_succeeded</code>, one was, and it passed all the same. Damage: the agent said done while a guard is broken. With 95 % intervals.</p>
${foldedWhere(
  lines.every(isClean),
  'None of either: the figures',
  markup`<ul class="keys" aria-hidden="true">${keys}</ul>
${figureTable('Phantoms and damage', PHANTOMS, lines, ({ agent }) => beside.has(agent))}`,
)}
</section>`;
}

/** Whether all that was measured of an entrant is that nothing happened. */
function isClean({ phantoms, damaged }: OutcomeLine): boolean {
  return damaged.count === 0 && phantoms.none.count === phantoms.none.of;
}

function bar({ phantoms }: OutcomeLine): Markup {
  const { of } = phantoms.none;
  if (of === 0) return markup`<span class="quiet">not measured</span>`;
  let from = 0;
  const parts = CATEGORIES.map((name) => {
    const width = (phantoms[name].count / of) * 100;
    const part = markup`<rect class="${name}" x="${from.toFixed(2)}%" width="${width.toFixed(2)}%" y="4" height="14"/>`;
    from += width;
    return part;
  });
  const { not_measured: rest, why_null: why } = phantoms;
  const missing = rest === 0 ? null : markup`<small title="${why}">${rest} not measured</small>`;
  return markup`<svg aria-hidden="true" height="22" width="100%">${parts}</svg>${missing}`;
}

/** Draw what agents declared against what the judge found. */
export function testimonySection({ claims, agents }: Pick<Report, 'claims' | 'agents'>): Markup {
  const beside = agentsBeside(agents);
  const note = overClaimNote({ claims, agents });
  return markup`<section aria-labelledby="word">
<h2 id="word">The agent’s word</h2>
<p>Over-claims: of the episodes of which the agent said that they were done, those where the judge found otherwise. Under-claims: of the others, those where all was done all the same. The intervals are of these episodes alone, so one task has them too.${note === null ? null : ` ${note}`}</p>
${foldedWhere(
  claims.entrants.every(({ success: { testimony } }) => testimony.over_claims + testimony.under_claims === 0),
  'None of either: the figures',
  figureTable('Over-claims and under-claims', TESTIMONY, claims.entrants, ({ agent }) => beside.has(agent)),
)}
</section>`;
}

function share(count: number, of: number): Share {
  return { count, of, interval: wilsonInterval(count, of) };
}
