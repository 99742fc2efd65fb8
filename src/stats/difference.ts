import { type Interval, Z_CONFIDENCE, Z_POWER } from './proportion.ts';

export interface Estimate {
  rate: number;
  interval: Interval;
}

/**
 * The interval of a difference of two shares, the second less the first, from their own intervals (R. G. Newcombe, Statistics in
 * Medicine 17, 1998, method 10 of the article on paired data; for other intervals than Wilson's: G. Y. Zou and A. Donner, Statistics in
 * Medicine 27, 2008). `correlation` is that of the pairs; 0 without pairs.
 */
export function differenceInterval(first: Estimate, second: Estimate, correlation: number): Interval {
  const [a, b] = [distances(first), distances(second)];
  const difference = second.rate - first.rate;
  return {
    low: difference - combined(a.above, b.below, correlation),
    high: difference + combined(a.below, b.above, correlation),
  };
}

function distances({ rate, interval }: Estimate): { below: number; above: number } {
  return { below: rate - interval.low, above: interval.high - rate };
}

function combined(first: number, second: number, correlation: number): number {
  return Math.sqrt(Math.max(0, first ** 2 - 2 * correlation * first * second + second ** 2));
}

/**
 * Pearson's correlation of pairs; 0 if one side is constant. For n pairs it is bounded by 1 - 1/n, up and down: two pairs always
 * lie on a line, so without the bound a single extra failure would be significant.
 */
export function correlationOf(pairs: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1): number => pairs.reduce((total, pair) => total + pair[at], 0) / pairs.length;
  const [first, second] = [mean(0), mean(1)];
  const sums = { both: 0, first: 0, second: 0 };
  for (const [a, b] of pairs) {
    sums.both += (a - first) * (b - second);
    sums.first += (a - first) ** 2;
    sums.second += (b - second) ** 2;
  }
  if (sums.first === 0 || sums.second === 0) return 0;
  const most = 1 - 1 / pairs.length;
  return Math.min(most, Math.max(-most, sums.both / Math.sqrt(sums.first * sums.second)));
}

/**
 * Holm's step-down adjustment (S. Holm, Scandinavian Journal of Statistics 6, 1979) of the p-values of one family of tests, in
 * their order. Compare each with the level of the whole family.
 */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((p, index) => ({ p, index })).toSorted((a, b) => a.p - b.p);
  const adjusted = ps.map(() => 1);
  let least = 0;
  for (const [rank, { p, index }] of order.entries()) {
    least = Math.max(least, Math.min(1, p * (ps.length - rank)));
    adjusted[index] = least;
  }
  return adjusted;
}

const LEVEL = 0.05;
/** Variance, over tasks, of the difference of two entrants' true success rates that is assumed before anything is measured. */
const BETWEEN_TASKS = 1 / 9;
/** Variance of one trial of a task within an entrant, with rates spread evenly from 0 to 1: the mean of p(1 − p). */
const WITHIN_TASK = 1 / 6;

/**
 * The smallest difference of success rates that this many templates with this many trials each would show at the level 0.05 in
 * 80 of 100 campaigns: (z(0.975) + z(0.8)) · √((ω² + σ²/K + σ²/K) / n), with ω² = 1/9 and σ² = 1/6 (E. Miller, "Adding Error
 * Bars to Evals", arXiv:2411.00640, §5; cited from memory, and checked against its example of 969 tasks). 1 is the most that
 * two rates can differ by. Null if no difference can be shown: without templates or trials, or if the sign-flip test, whose p
 * is at least 2 / 2^n, cannot reach the level after Holm's adjustment for this many pairs.
 */
export function smallestDetectable(templates: number, trialsPerTemplate: number, pairs: number): number | null {
  if (templates < 1 || trialsPerTemplate <= 0) return null;
  if ((pairs * 2) / 2 ** templates > LEVEL) return null;
  const variance = BETWEEN_TASKS + (2 * WITHIN_TASK) / trialsPerTemplate;
  return Math.min(1, detectableWith(variance, templates));
}

/** The same, from the observed variance of the differences per template. */
export function detectableWith(varianceOfDifferences: number, templates: number): number {
  return (Z_CONFIDENCE + Z_POWER) * Math.sqrt(varianceOfDifferences / templates);
}
