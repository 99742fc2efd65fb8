import jStat from 'jstat';
import { describe, expect, it } from 'vitest';
import { clusteredProportion } from '../../src/stats/clustered-proportion.ts';
import { correlationOf, differenceInterval, type Estimate } from '../../src/stats/difference.ts';
import { seededRandom } from '../../src/stats/random.ts';
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
  it('is as high as so many pairs can show where both go together, as low where they go against each other, and 0 where one does not move', () => {
    expect(
      correlationOf([
        [0, 0.1],
        [0.5, 0.6],
        [1, 1.1],
      ]),
    ).toBeCloseTo(2 / 3, 12);
    expect(
      correlationOf([
        [0, 1],
        [1, 0],
      ]),
    ).toBe(-0.5);
    expect(
      correlationOf([
        [0, 1],
        [1, 1],
      ]),
    ).toBe(0);
  });

  it('is that of jStat where it is not so high', () => {
    const [first, second] = [
      [0.1, 0.4, 0.2, 0.9, 0.5],
      [0.3, 0.2, 0.4, 0.6, 0.9],
    ];
    const pairs = first.map((value, at): [number, number] => [value, second[at] ?? 0]);
    expect(correlationOf(pairs)).toBeCloseTo(jStat.corrcoeff(first, second), 12);
  });
});

describe('the interval of a difference over tasks', () => {
  const trials = 3;
  const changeOver = (before: readonly number[], after: readonly number[]) => {
    const [was, is] = [before, after].map((counts) => {
      const { rate, interval } = clusteredProportion(counts.map((successes) => ({ successes, trials })));
      return { rate: rate ?? 0, interval: interval ?? { low: 0, high: 1 } };
    });
    if (was === undefined || is === undefined) throw new Error('there are two');
    const pairs = before.map((count, at): [number, number] => [count / trials, (after[at] ?? 0) / trials]);
    return differenceInterval(was, is, correlationOf(pairs));
  };
  const leavesOutNought = ({ low, high }: { low: number; high: number }): boolean => low > 0 || high < 0;

  it('does not take one failure more of one of two tasks for a change', () => {
    expect(leavesOutNought(changeOver([3, 0], [2, 0]))).toBe(false);
    expect(leavesOutNought(changeOver([3, 1], [2, 0]))).toBe(false);
  });

  it('is not of no width where every task came to the same', () => {
    const { low, high } = changeOver([3, 0, 3, 0], [3, 0, 3, 0]);
    expect(low).toBeLessThan(-0.05);
    expect(high).toBeGreaterThan(0.05);
  });

  it.each([2, 3, 4, 6, 12])(
    'leaves out 0 in at most 6.5 of 100 campaigns over %i tasks in which nothing changed',
    (tasks) => {
      const random = seededRandom(tasks);
      const campaigns = 1000;
      const changed = Array.from({ length: campaigns }, () => {
        const rates = Array.from({ length: tasks }, random);
        const [before, after] = [0, 1].map(() =>
          rates.map((rate) => Array.from({ length: trials }, random).filter((drawn) => drawn < rate).length),
        );
        return leavesOutNought(changeOver(before ?? [], after ?? []));
      }).filter(Boolean).length;
      expect(changed / campaigns).toBeLessThan(0.065);
    },
  );
});
