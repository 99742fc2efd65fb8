import type { EntrantClaims } from '../claim/claims.ts';
import { isOf } from '../claim/figures.ts';
import { groupBy } from '../claim/group.ts';
import type { Interval } from '../stats/interval.ts';
import { codeSpan } from './code-span.ts';
import { timeClaimText } from './decisions.ts';
import { numberText, rateText, secondsText } from './figure-text.ts';
import { ENTRANT, markdownTable } from './markdown-table.ts';
import type { Report } from './report.ts';
import { entrantText } from './entrant-text.ts';

/** A middle or a tail of what the episodes of an entrant took. */
export interface Spread {
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

/** Median and p95 of time, tokens (read and written) and cost, a column each. */
export function spreadColumns({ tables }: Pick<Report, 'tables'>) {
  return MEASURES.flatMap(({ field, name, missing, text }) => {
    const spread = (entrant: EntrantClaims, value: number | null, interval: Interval | null): Spread => {
      const line = tables.entrants.find((each) => isOf(entrant, each));
      const why = missing.flatMap((each) => line?.[each].why_null ?? []).at(0) ?? 'no episode has run';
      return {
        value: value === null ? null : text(value),
        interval: interval === null ? null : `${text(interval.low) ?? '–'} to ${text(interval.high) ?? '–'}`,
        why: value === null ? why : null,
      };
    };
    return [
      {
        head: `${name}, median`,
        spreadOf: (each: EntrantClaims) =>
          spread(each, each.spending[field].median, each.spending[field].median_interval),
      },
      {
        head: `${name}, p95`,
        spreadOf: (each: EntrantClaims) => spread(each, each.spending[field].p95, each.spending[field].p95_interval),
      },
    ];
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
export function spreadLines({ claims, tables }: Pick<Report, 'claims' | 'tables'>): string[] {
  const { entrants } = claims;
  if (entrants.length === 0) return [];
  const spreads = spreadColumns({ tables });
  const reasons = entrants.flatMap((entrant) =>
    [...new Set(spreads.flatMap(({ spreadOf }) => spreadOf(entrant).why ?? []))].map((why) => ({
      name: entrantText(entrant),
      why,
    })),
  );
  const missing = [...groupBy(reasons, ({ why }) => why)].map(
    ([why, same]) => `- ${same.map(({ name }) => name).join(', ')}: ${codeSpan(why)}.`,
  );
  const columns = [
    ...ENTRANT,
    ...spreads.map(({ head, spreadOf }) => ({ head, cell: (each: EntrantClaims) => spreadText(spreadOf(each)) })),
  ];
  const rates = [
    ...ENTRANT,
    ...reliabilityColumns(entrants).map(({ head, rateOf }) => ({
      head,
      cell: (each: EntrantClaims) => rateText(rateOf(each)),
    })),
  ];
  return [
    '## Spread and reliability',
    '',
    `${SPREAD_NOTE} ${timeClaimText(claims)}`,
    '',
    ...markdownTable(columns, entrants),
    '',
    ...(missing.length === 0 ? [] : ['Not measured in every episode:', '', ...missing, '']),
    RELIABILITY_NOTE,
    '',
    ...markdownTable(rates, entrants),
    '',
  ];
}

function spreadText({ value, interval }: Spread): string | null {
  return value === null ? null : `${value} (${interval ?? '–'})`;
}

export const SPREAD_NOTE =
  'Median and p95 over all episodes that ran, failures included, with their 95 % intervals by the bootstrap over tasks, which needs at least two. They rank nobody.';

export const RELIABILITY_NOTE =
  'Of k repetitions of a task, pass@k is how often at least one passes, and pass^k how often all of them do. Both are means over tasks.';
