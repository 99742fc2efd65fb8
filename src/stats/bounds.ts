import type { Interval } from './interval.ts';

/**
 * What a success rate could be, did we know how the unknown trials ended: all of them failures, or all of them successes
 * (C. F. Manski, "Nonparametric Bounds on Treatment Effects", 1990). No interval of chance: that comes on top. Null without trials.
 */
export function rateBounds(successes: number, unknown: number, trials: number): Interval | null {
  return trials === 0 ? null : { low: successes / trials, high: (successes + unknown) / trials };
}
