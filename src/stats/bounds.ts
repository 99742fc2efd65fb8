import type { Interval } from './interval.ts';

/**
 * Bound a success rate by the two ways in which the unknown trials could have ended: all of them failures, or all successes
 * (C. F. Manski, "Nonparametric Bounds on Treatment Effects", 1990). No interval of chance: that comes on top. Null without trials.
 */
export function rateBounds(successes: number, unknown: number, trials: number): Interval | null {
  return trials === 0 ? null : { low: successes / trials, high: (successes + unknown) / trials };
}
