import type { EntrantClaims } from '../claim/claims.ts';
import { groupBy } from '../claim/group.ts';
import type { Interval } from '../stats/interval.ts';
import { codeSpan } from './code-span.ts';
import { numberText, percent, secondsText } from './figure-text.ts';
import { markdownTable } from './markdown-table.ts';
import type { Report } from './report.ts';

/** A middle or a tail of what episodes took. */
export interface SpreadCell {
  head: string;
  value: string | null;
  interval: string | null;
  /** Why there is no value; null when there is one. */
  why: string | null;
}

const MEASURES = [
  { field: 'wall_ms', name: 'time', missing: ['wall_ms'], text: secondsText },
  { field: 'tokens', name: 'tokens', missing: ['tokens_in', 'tokens_out'], text: (value: number) => numberText(value) },
  { field: 'cost_usd', name: 'cost', missing: ['cost_usd'], text: (value: number) => numberText(value, ' USD') },
] as const;

/** Median and p95 of time, tokens (read and written) and cost of an entrant. */
export function spreadCells(
  { agent, surface, spending }: EntrantClaims,
  { tables }: Pick<Report, 'tables'>,
): SpreadCell[] {
  const line = tables.entrants.find((each) => each.agent === agent && each.surface === surface);
  return MEASURES.flatMap(({ field, name, missing, text }) => {
    const { median, median_interval: middle, p95, p95_interval: tail } = spending[field];
    const why = missing.flatMap((each) => line?.[each].why_null ?? []).at(0) ?? 'no episode has run';
    const cell = (part: string, value: number | null, interval: Interval | null): SpreadCell => ({
      head: `${name}, ${part}`,
      value: value === null ? null : text(value),
      interval: interval === null ? null : `${text(interval.low) ?? '–'} to ${text(interval.high) ?? '–'}`,
      why: value === null ? why : null,
    });
    return [cell('median', median, middle), cell('p95', p95, tail)];
  });
}

/** The repetitions that a share is over: all that every cell has, and fewer. */
export function reliabilityColumns(entrants: readonly EntrantClaims[]) {
  const ks = new Set(entrants.flatMap(({ success }) => success.reliability.map(({ k }) => k)));
  return [...ks]
    .toSorted((a, b) => a - b)
    .flatMap((k) =>
      // With one repetition, "one passes" and "all pass" are the same.
      (k === 1 ? (['pass_at_k'] as const) : (['pass_at_k', 'pass_hat_k'] as const)).map((field) => ({
        head: field === 'pass_at_k' ? `pass@${k}` : `pass^${k}`,
        rateOf: ({ success }: EntrantClaims): number | null =>
          success.reliability.find((each) => each.k === k)?.[field] ?? null,
      })),
    );
}

/** Both as Markdown; nothing where there is no entrant. */
export function spreadLines({ claims: { entrants }, tables }: Pick<Report, 'claims' | 'tables'>): string[] {
  const [first] = entrants;
  if (first === undefined) return [];
  const columns = reliabilityColumns(entrants);
  const spreads = entrants.map((entrant) => ({ entrant, cells: spreadCells(entrant, { tables }) }));
  const heads = spreadCells(first, { tables }).map(({ head }) => head);
  const reasons = spreads.flatMap(({ entrant: { agent, surface }, cells }) =>
    [...new Set(cells.flatMap(({ why }) => why ?? []))].map((why) => ({ name: `${agent} through ${surface}`, why })),
  );
  const missing = [...groupBy(reasons, ({ why }) => why)].map(
    ([why, same]) => `- ${same.map(({ name }) => name).join(', ')}: ${codeSpan(why)}.`,
  );
  return [
    '## Spread and reliability',
    '',
    SPREAD_NOTE,
    '',
    ...markdownTable(
      ['agent', 'surface', ...heads],
      spreads.map(({ entrant: { agent, surface }, cells }) => [agent, surface, ...cells.map(spreadText)]),
      2,
    ),
    '',
    ...(missing.length === 0 ? [] : ['Not measured in every episode:', '', ...missing, '']),
    RELIABILITY_NOTE,
    '',
    ...markdownTable(
      ['agent', 'surface', ...columns.map(({ head }) => head)],
      entrants.map((entrant) => [
        entrant.agent,
        entrant.surface,
        ...columns.map(({ rateOf }) => rateText(rateOf(entrant))),
      ]),
      2,
    ),
    '',
  ];
}

function rateText(rate: number | null): string | null {
  return rate === null ? null : `${percent(rate)} %`;
}

function spreadText({ value, interval }: SpreadCell): string | null {
  return value === null ? null : `${value} (${interval ?? '–'})`;
}

export const SPREAD_NOTE =
  'Median and p95 over all episodes that ran, failures included, with their 95 % intervals by the bootstrap over tasks, which needs at least two. Diagnostic: nobody is ranked by them.';

export const RELIABILITY_NOTE =
  'pass@k: how often one at least of k repetitions of a task passes; pass^k: how often all k do; the mean over tasks.';
