import jStat from 'jstat';
import { describe, expect, it, test } from 'vitest';
import { clusteredProportion, wilsonInterval, rateBounds } from '../../src/stats/proportion.ts';
import {
  correlationOf,
  differenceInterval,
  type Estimate,
  detectableWith,
  smallestDetectable,
} from '../../src/stats/difference.ts';
import { seededRandom, signFlip } from '../../src/stats/resampling.ts';

function estimate(successes: number, trials: number): Estimate {
  return { rate: successes / trials, interval: wilsonInterval(successes, trials) ?? { low: 0, high: 1 } };
}

describe('the interval of a difference', () => {
  // Table II, method 10, of R. G. Newcombe, "Interval estimation for the difference between independent proportions", 1998.
  it.each([
    [48, 80, 56, 70, 0.0524, 0.3339],
    [3, 10, 9, 10, 0.1705, 0.809],
    [0, 10, 10, 10, 0.6075, 1],
  ])('of %i of %i and then %i of %i is that published by Newcombe', (was, before, is, after, low, high) => {
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
  it('is bounded by the number of pairs, up and down, and 0 if one side is constant', () => {
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

  it('is that of jStat if it is not too high', () => {
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

  it('does not count one failure more in one of two tasks as a change', () => {
    expect(leavesOutNought(changeOver([3, 0], [2, 0]))).toBe(false);
    expect(leavesOutNought(changeOver([3, 1], [2, 0]))).toBe(false);
  });

  it('has a width even if every task had the same result', () => {
    const { low, high } = changeOver([3, 0, 3, 0], [3, 0, 3, 0]);
    expect(low).toBeLessThan(-0.05);
    expect(high).toBeGreaterThan(0.05);
  });

  it.each([2, 3, 4, 6, 12])('excludes 0 in at most 6.5 of 100 unchanged campaigns over %i tasks', (tasks) => {
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
  });
});

describe('the smallest difference that a campaign can show', () => {
  it('is 3 points for 969 tasks with infinite trials, as in Miller (2024, §5)', () => {
    expect(smallestDetectable(969, 1e9, 1)).toBeCloseTo(0.03, 5);
  });

  it('falls without limit with templates, and with trials only so far', () => {
    expect(smallestDetectable(400, 10, 1)).toBeLessThan((smallestDetectable(100, 10, 1) ?? 0) * 0.51);
    expect(smallestDetectable(20, 1_000, 1)).toBeGreaterThan(0.2);
  });

  it('is no more than two rates can differ by, and missing without trials', () => {
    expect(smallestDetectable(6, 1, 1)).toBeLessThan(1);
    expect(smallestDetectable(0, 10, 1)).toBeNull();
    expect(smallestDetectable(10, 0, 1)).toBeNull();
  });

  it.each([
    [1, 5, 6],
    [3, 6, 7],
    [45, 10, 11],
  ])(
    'is missing for %i pairs on %i tasks, where the test cannot reach the level, but not on %i',
    (pairs, few, enough) => {
      const best = (tasks: number) =>
        (signFlip(
          Array.from({ length: tasks }, () => 1),
          1,
        )?.p ?? 1) * pairs;
      expect([best(few) > 0.05, best(enough) > 0.05]).toEqual([true, false]);
      expect(smallestDetectable(few, 10, pairs)).toBeNull();
      expect(smallestDetectable(enough, 10, pairs)).toBeGreaterThan(0);
    },
  );

  it('is found in 80 of 100 campaigns if it exists', () => {
    const random = seededRandom(11);
    const [templates, spread] = [40, 0.5];
    const truth = detectableWith(spread ** 2, templates);
    let found = 0;
    for (let campaign = 0; campaign < 2_000; campaign += 1) {
      let total = 0;
      for (let task = 0; task < templates; task += 1) total += truth + spread * normal(random);
      if (Math.abs(total / templates) > (1.96 * spread) / Math.sqrt(templates)) found += 1;
    }
    expect(found / 2_000).toBeGreaterThan(0.77);
    expect(found / 2_000).toBeLessThan(0.83);
  });
});

/** A draw from the standard normal distribution (Box and Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

test('a rate with unknown trials lies between all of them failed and all of them passed', () => {
  expect(rateBounds(6, 2, 10)).toEqual({ low: 0.6, high: 0.8 });
  expect(rateBounds(6, 0, 10)).toEqual({ low: 0.6, high: 0.6 });
  expect(rateBounds(0, 0, 0)).toBeNull();
});
