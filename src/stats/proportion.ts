import { z } from 'zod';

/** A 95 % interval; both ends belong to it. */
export const Interval = z.strictObject({ low: z.number(), high: z.number() });
export type Interval = z.infer<typeof Interval>;

/** Quantile of the standard normal distribution at 0.975, for intervals and tests of both sides at the level 0.05. */
export const Z_CONFIDENCE = 1.959963984540054;

/** Quantile of the standard normal distribution at the usual power of 0.8. */
export const Z_POWER = 0.8416212335729143;

/**
 * Wilson's score interval for a proportion (E. B. Wilson, JASA 22, 1927; method 3 of R. G. Newcombe, Statistics in Medicine 17,
 * 1998). It holds at 0 and at 1, where the usual one has no width. Trials need not be whole: an effective number of them will do.
 * Null without trials.
 */
export function wilsonInterval(successes: number, trials: number): Interval | null {
  if (trials <= 0) return null;
  const z2 = Z_CONFIDENCE ** 2;
  const rate = successes / trials;
  const middle = (rate + z2 / (2 * trials)) / (1 + z2 / trials);
  const half = (Z_CONFIDENCE * Math.sqrt((rate * (1 - rate)) / trials + z2 / (4 * trials ** 2))) / (1 + z2 / trials);
  // At 0 and at 1 the end is exact; rounding would miss it by a little.
  return { low: successes === 0 ? 0 : middle - half, high: successes === trials ? 1 : middle + half };
}

/**
 * The quantile of Student's t at 0.975 for whole degrees of freedom, by bisection of the distribution function.
 * The function is the finite sum for whole degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4).
 */
export function studentQuantile975(degrees: number): number {
  let [low, high] = [0, 1];
  while (insideOf(high, degrees) < 0.95) high *= 2;
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2;
    if (insideOf(middle, degrees) < 0.95) low = middle;
    else high = middle;
  }
  return high;
}

/** The probability that |T| is below t. */
function insideOf(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? Math.cos(angle) : 1;
  let total = degrees === 1 ? 0 : term;
  for (let power = isOdd ? 3 : 2; power <= degrees - 2; power += 2) {
    term *= (Math.cos(angle) ** 2 * (power - 1)) / power;
    total += term;
  }
  return isOdd ? (2 / Math.PI) * (angle + Math.sin(angle) * total) : Math.sin(angle) * total;
}

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
  /** Number of independent trials with the same variance; null below two clusters. */
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
 * more than that one does, else an entrant that failed once would be promised more than one that never did.
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

/**
 * Bound a success rate by the two ways in which the unknown trials could have ended: all of them failures, or all successes
 * (C. F. Manski, "Nonparametric Bounds on Treatment Effects", 1990). No interval of chance: that comes on top. Null without trials.
 */
export function rateBounds(successes: number, unknown: number, trials: number): Interval | null {
  return trials === 0 ? null : { low: successes / trials, high: (successes + unknown) / trials };
}
