import { z } from 'zod';
import { Whole, Rate } from './figure-fields.ts';
import type { FiguredRow } from './figured-row.ts';
import { holm, smallestDetectable } from '../stats/difference.ts';
import { signFlip } from '../stats/resampling.ts';
import { Entrant, entrantName } from './figures.ts';
import { clusterIn, distinct, groupBy, type JudgedRow, those } from './group.ts';
import { missesOf, ran } from './honesty.ts';
import { type HeadlineAxis, POLICY } from './policy.ts';
import { faultsOf, faultyAlike, faultyEpisodeOf } from './faulty-rows.ts';
import { hasPassed } from './success.ts';

/** Two entrants on the templates that both ran. */
export const Comparison = z.strictObject({
  first: Entrant,
  second: Entrant,
  templates: Whole,
  /** Mean over templates of the first success rate minus the second. */
  difference: z.number(),
  /** p of the sign-flip test, before and after Holm's adjustment for all pairs. */
  p: Rate,
  p_adjusted: Rate,
  /** Whether every assignment of signs was tried. */
  exact: z.boolean(),
  /** See `smallestDetectable`; null: none. */
  smallest_detectable: Rate.nullable(),
  /** Null if neither was shown to do better. */
  better: z.enum(['first', 'second']).nullable(),
  /** Pairs of episodes left out because an archive lacked more for one of the two; absent if none. */
  other_web: z.int().positive().exactOptional(),
});
export type Comparison = z.infer<typeof Comparison>;

export interface Compared {
  comparison: Comparison;
  rows: readonly FiguredRow[];
  /** Rows of the two that count for one alone, and were not compared. */
  oneSided: readonly FiguredRow[];
}

/**
 * Every pair of entrants on an axis, as one family of tests. The draws of a test follow from the seed.
 * @param rows that the axis is about
 */
export function compareAll(
  axis: HeadlineAxis,
  rows: readonly FiguredRow[],
  entrants: readonly Entrant[],
  seed: number,
): Compared[] {
  const byEntrant = groupBy(those(rows, ran), entrantName);
  const clusterOf = clusterIn(rows);
  const rates = new Map([...byEntrant].map(([name, own]) => [name, ratesOf(own, clusterOf)]));
  const sideOf = (entrant: Entrant): Side => ({
    rows: byEntrant.get(entrantName(entrant)) ?? [],
    rates: rates.get(entrantName(entrant)) ?? new Map<string, TaskRate>(),
  });
  const pairs = entrants.flatMap((first, at) =>
    entrants.slice(at + 1).flatMap((second) => {
      const compared = comparable(axis, { a: sideOf(first), b: sideOf(second), rows }, clusterOf);
      const pair = pairOf({ first, second }, compared, seed);
      return pair === null ? [] : [{ pair, rows: compared.rows, oneSided: compared.oneSided }];
    }),
  );
  const adjusted = holm(pairs.map(({ pair }) => pair.p));
  return pairs.map(({ pair: { fewest, ...pair }, ...of }, at) => {
    const smallest = smallestDetectable(pair.templates, fewest, pairs.length);
    return { comparison: ranked({ ...pair, smallest_detectable: smallest }, adjusted[at] ?? 1), ...of };
  });
}

interface Side {
  rows: readonly FiguredRow[];
  rates: Map<string, TaskRate>;
}

interface Comparable extends Pick<Compared, 'rows' | 'oneSided'> {
  a: Map<string, TaskRate>;
  b: Map<string, TaskRate>;
  otherWeb: number;
}

/** The rates of two entrants in the episodes that count for both. */
function comparable(
  axis: HeadlineAxis,
  { a, b, rows }: { a: Side; b: Side; rows: readonly FiguredRow[] },
  clusterOf: ClusterOf,
): Comparable {
  const left = onOtherWeb(a.rows, b.rows);
  const isRecovery = axis === 'fault_recovery';
  if (left.size === 0 && !isRecovery) return { a: a.rates, b: b.rates, rows, oneSided: [], otherWeb: 0 };
  const isIn = (row: FiguredRow): boolean => !left.has(row);
  const [first, second] = [those(a.rows, isIn), those(b.rows, isIn)];
  // A pair with nothing left is shown as it is, with the reason against a claim: a comparison must not vanish.
  if (first.length === 0) return { a: a.rates, b: b.rates, rows, oneSided: [...left], otherWeb: left.size / 2 };
  // Entrants with other faults recovered from other things.
  const both = isRecovery ? faultyAlike(first, second) : { first, second, oneSided: [] };
  return {
    a: ratesOf(both.first, clusterOf),
    b: ratesOf(both.second, clusterOf),
    rows: [...both.first, ...both.second],
    oneSided: [...both.oneSided, ...left],
    otherWeb: left.size / 2,
  };
}

/** The episodes of two entrants in which they did not meet the same web: an archive missed more requests of one than of the other. */
function onOtherWeb(first: readonly FiguredRow[], second: readonly FiguredRow[]): ReadonlySet<FiguredRow> {
  if (![first, second].some((rows) => rows.some((row) => missesOf(row) > 0))) return new Set();
  const episodes = [...groupBy([...first, ...second], faultyEpisodeOf).values()];
  return new Set(episodes.filter((rows) => distinct(rows, missesOf).size > 1).flat());
}

interface TaskRate {
  rate: number;
  /** For each fault: another fault does not repeat the task. */
  episodes: number;
}

type ClusterOf = (row: JudgedRow) => string;

function ratesOf(rows: readonly FiguredRow[], clusterOf: ClusterOf): Map<string, TaskRate> {
  return new Map(
    [...groupBy(rows, clusterOf)].map(([cluster, own]) => [
      cluster,
      { rate: own.filter(hasPassed).length / own.length, episodes: own.length / distinct(own, faultsOf).size },
    ]),
  );
}

type Tested = Omit<Comparison, 'p_adjusted' | 'better'>;
type Pair = Omit<Tested, 'smallest_detectable'> & {
  /** Fewest repetitions of a cell. */
  fewest: number;
};

function pairOf(
  entrants: Pick<Comparison, 'first' | 'second'>,
  { a, b, otherWeb }: Pick<Comparable, 'a' | 'b' | 'otherWeb'>,
  seed: number,
): Pair | null {
  const both = [...a].flatMap(([template, one]) => {
    const other = b.get(template);
    return other === undefined
      ? []
      : [{ difference: one.rate - other.rate, fewest: Math.min(one.episodes, other.episodes) }];
  });
  const test = signFlip(
    both.map(({ difference }) => difference),
    seed,
  );
  if (test === null) return null;
  const { mean: difference, p, exact } = test;
  const fewest = Math.min(...both.map((each) => each.fewest));
  const left = otherWeb === 0 ? {} : { other_web: otherWeb };
  return { ...entrants, templates: both.length, difference, p, exact, fewest, ...left };
}

/** Ranks no difference below the smallest that the campaign could show. */
function ranked(pair: Tested, adjusted: number): Comparison {
  const { difference, smallest_detectable: smallest } = pair;
  const isShown = adjusted <= POLICY.level && smallest !== null && Math.abs(difference) >= smallest;
  const better = pair.difference > 0 ? 'first' : 'second';
  return { ...pair, p_adjusted: adjusted, better: isShown ? better : null };
}
