import { z } from 'zod';
import { Interval, Z_CONFIDENCE } from './interval.ts';
import { studentQuantile975 } from './student.ts';
import { wilsonInterval } from './wilson.ts';

/** Trials that are not independent of each other: repetitions and instances of one task. */
export interface Cluster {
  successes: number;
  trials: number;
}

export const ClusteredProportion = z.strictObject({
  successes: z.int().min(0),
  trials: z.int().min(0),
  clusters: z.int().min(0),
  /** Successes of all trials; null without any. */
  rate: z.number().min(0).max(1).nullable(),
  /** Number of independent trials that would say as much. Null below two clusters, which say nothing of others. */
  effective_trials: z.number().nullable(),
  interval: Interval.nullable(),
});
export type ClusteredProportion = z.infer<typeof ClusteredProportion>;

/**
 * A proportion over clusters: Wilson's interval with the effective number of trials. That number is what gives the
 * cluster-robust variance of the rate (for evaluations: E. Miller, "Adding Error Bars to Evals", arXiv:2411.00640), made
 * smaller for few clusters by Student's t (E. L. Korn and B. I. Graubard, Survey Methodology 24, 1998; compared and
 * recommended by C. Franco and others, J. Survey Statistics and Methodology 7, 2019). It is never above the number of trials.
 * At 0 and at 1, as in 40 of 40, where no variance can be seen, each cluster counts as one trial; and no interval promises
 * more than that one does, else whoever failed once would be promised more than whoever never did.
 */
export function clusteredProportion(clusters: readonly Cluster[]): ClusteredProportion {
  const known = clusters.filter(({ trials }) => trials > 0);
  const successes = sum(known.map((each) => each.successes));
  const trials = sum(known.map((each) => each.trials));
  const counted = { successes, trials, clusters: known.length };
  if (trials === 0) return { ...counted, rate: null, effective_trials: null, interval: null };
  const rate = successes / trials;
  if (known.length < 2) return { ...counted, rate, effective_trials: null, interval: null };
  const effective = effectiveTrials(known, rate, trials);
  return { ...counted, rate, effective_trials: effective, interval: intervalOf(rate, effective, known.length) };
}

function intervalOf(rate: number, effective: number, clusters: number): Interval | null {
  const own = wilsonInterval(rate * effective, effective);
  const [none, all] = [wilsonInterval(0, clusters), wilsonInterval(clusters, clusters)];
  if (own === null || none === null || all === null) return null;
  return { low: Math.min(own.low, all.low), high: Math.max(own.high, none.high) };
}

function effectiveTrials(clusters: readonly Cluster[], rate: number, trials: number): number {
  const count = clusters.length;
  const squares = sum(clusters.map((each) => (each.successes - rate * each.trials) ** 2));
  const variance = ((count / (count - 1)) * squares) / trials ** 2;
  if (rate === 0 || rate === 1) return count;
  const smaller = (Z_CONFIDENCE / studentQuantile975(count - 1)) ** 2;
  const byVariance = variance === 0 ? trials : (rate * (1 - rate)) / variance;
  return Math.min(byVariance, trials) * smaller;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
