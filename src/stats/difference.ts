import type { Interval } from './interval.ts';

/** A share with its interval. */
export interface Estimate {
  rate: number;
  interval: Interval;
}

/**
 * The interval of a difference of two shares, the second less the first, from their own intervals (R. G. Newcombe, Statistics in
 * Medicine 17, 1998, method 10 of the article on paired data; for other intervals than Wilson's: G. Y. Zou and A. Donner, Statistics in
 * Medicine 27, 2008). `correlation` is that of the pairs; 0 where there are none.
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
 * Pearson's correlation of pairs; 0 where one side is the same in all of them. Of n pairs we hold it to 1 - 1/n, up or down: two
 * pairs always lie on a line, which says nothing, and with it as it is one failure more would be a difference beyond chance.
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
