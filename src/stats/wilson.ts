import { type Interval, Z_CONFIDENCE } from './interval.ts';

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
