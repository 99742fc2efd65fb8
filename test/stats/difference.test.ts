import { describe, expect, it } from 'vitest';
import { correlationOf, differenceInterval, type Estimate } from '../../src/stats/difference.ts';
import { wilsonInterval } from '../../src/stats/wilson.ts';

function estimate(successes: number, trials: number): Estimate {
  return { rate: successes / trials, interval: wilsonInterval(successes, trials) ?? { low: 0, high: 1 } };
}

describe('the interval of a difference', () => {
  // Table II, method 10, of R. G. Newcombe, "Interval estimation for the difference between independent proportions", 1998.
  it.each([
    [48, 80, 56, 70, 0.0524, 0.3339],
    [3, 10, 9, 10, 0.1705, 0.809],
    [0, 10, 10, 10, 0.6075, 1],
  ])('of %i of %i and then %i of %i is what Newcombe has published', (was, before, is, after, low, high) => {
    const interval = differenceInterval(estimate(was, before), estimate(is, after), 0);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it('is narrower when tasks that went well before go well after', () => {
    const width = (correlation: number) => {
      const { low, high } = differenceInterval(estimate(20, 40), estimate(24, 40), correlation);
      return high - low;
    };
    expect(width(0.8)).toBeLessThan(width(0));
    expect(width(-0.5)).toBeGreaterThan(width(0));
  });
});

describe('the correlation of pairs', () => {
  it('is 1 where both go together, -1 where they go against each other, and 0 where one does not move', () => {
    expect(
      correlationOf([
        [0, 0.1],
        [0.5, 0.6],
        [1, 1.1],
      ]),
    ).toBeCloseTo(1, 12);
    expect(
      correlationOf([
        [0, 1],
        [1, 0],
      ]),
    ).toBe(-1);
    expect(
      correlationOf([
        [0, 1],
        [1, 1],
      ]),
    ).toBe(0);
  });
});
