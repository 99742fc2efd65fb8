import { z } from 'zod';
import { Measured } from './figure-fields.ts';
import type { FiguredRow } from './figured-row.ts';
import { bootstrapQuantiles, joinedValues, median, quantile } from '../stats/resampling.ts';
import { Interval } from '../stats/proportion.ts';
import { clustersOf, those } from './group.ts';
import { honestPasses, ran } from './honesty.ts';
import { hasPassed } from './success.ts';

/** Median and tail of an effort, with bootstrap intervals over clusters of tasks. Null if it was not measured in every episode. */
const Spread = z.strictObject({
  median: Measured,
  median_interval: Interval.nullable(),
  p95: Measured,
  p95_interval: Interval.nullable(),
});
type Spread = z.infer<typeof Spread>;

/** A sum for each pass. Null if an episode was not measured, or none passed. */
const PerSuccess = z.strictObject({
  /** Effort of the passes, for each of them. */
  per_success: Measured,
  /** Effort of all episodes, failures included, for each pass. */
  expected_per_success: Measured,
  /** The same for each honest pass; null too if phantoms were not measured. */
  expected_per_honest_success: Measured,
});
type PerSuccess = z.infer<typeof PerSuccess>;

const Spent = z.strictObject({ ...Spread.shape, ...PerSuccess.shape });

/** The spending of an entrant, which is diagnostic. */
export const SpendingFigures = z.strictObject({
  wall_ms: Spent,
  /** Read and written. */
  tokens: Spent,
  cost_usd: Spent,
});
export type SpendingFigures = z.infer<typeof SpendingFigures>;

/** The intervals follow from the seed. */
export function spendingOf(rows: readonly FiguredRow[], seed: number): SpendingFigures {
  const episodes = those(rows, ran);
  const clusters = clustersOf(episodes);
  const figuresOf = (valueOf: ValueOf) => ({ ...spreadOf(clusters, valueOf, seed), ...perSuccess(episodes, valueOf) });
  return {
    wall_ms: figuresOf((row) => row.wall_ms),
    tokens: figuresOf(({ tokens_in: read, tokens_out: written }) =>
      read === null || written === null ? null : read + written,
    ),
    cost_usd: figuresOf((row) => row.cost_usd),
  };
}

/** The effort of an episode; null if it was not measured. */
export type ValueOf = (row: FiguredRow) => number | null;

const NOT_MEASURED: Spread = { median: null, median_interval: null, p95: null, p95_interval: null };

function spreadOf(clusters: readonly (readonly FiguredRow[])[], valueOf: ValueOf, seed: number): Spread {
  const measured = clusters.flatMap((rows) => valuesIn(rows, valueOf) ?? []);
  // The unknown ones may well be the longest.
  if (measured.length < clusters.length) return NOT_MEASURED;
  const values = joinedValues(measured);
  if (values.length === 0) return NOT_MEASURED;
  const [middle, tail] = bootstrapQuantiles(measured, [0.5, 0.95], seed);
  return {
    median: median(values),
    median_interval: middle ?? null,
    p95: quantile(values, 0.95),
    p95_interval: tail ?? null,
  };
}

/** Null if one is unknown. */
function valuesIn(rows: readonly FiguredRow[], valueOf: ValueOf): Float64Array | null {
  const values = new Float64Array(rows.length);
  for (const [at, row] of rows.entries()) {
    const value = valueOf(row);
    if (value === null) return null;
    values[at] = value;
  }
  return values;
}

export function perSuccess(rows: readonly FiguredRow[], valueOf: ValueOf): PerSuccess {
  const passes = those(rows, hasPassed);
  const honest = honestPasses(passes);
  const all = sum(rows, valueOf);
  return {
    per_success: ratio(sum(passes, valueOf), passes.length),
    expected_per_success: ratio(all, passes.length),
    expected_per_honest_success: honest === null ? null : ratio(all, honest),
  };
}

export function ratio(total: number | null, count: number): number | null {
  return total === null || count === 0 ? null : total / count;
}

/** Adds values; null if one is unknown, as a sum of the rest would be too small. */
export function sum<R>(rows: readonly R[], valueOf: (row: R) => number | null): number | null {
  let total = 0;
  for (const row of rows) {
    const value = valueOf(row);
    if (value === null) return null;
    total += value;
  }
  return total;
}
