import jStat from 'jstat';
import { describe, expect, it, test } from 'vitest';
import { Z_CONFIDENCE, Z_POWER } from '../../src/stats/interval.ts';
import { wilsonInterval } from '../../src/stats/wilson.ts';

describe("Wilson's interval is that of Newcombe's table I (1998), method 3", () => {
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('for %d of %d', (successes, trials, low, high) => {
    const interval = wilsonInterval(successes, trials);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });
});

test('its ends solve the score equation that it is defined by', () => {
  for (let successes = 0; successes <= 37; successes += 1) {
    const { low, high } = wilsonInterval(successes, 37) ?? { low: Number.NaN, high: Number.NaN };
    for (const end of [low, high].filter((each) => each > 0 && each < 1)) {
      const score = Math.abs(successes / 37 - end) / Math.sqrt((end * (1 - end)) / 37);
      expect(score).toBeCloseTo(jStat.normal.inv(0.975, 0, 1), 6);
    }
  }
});

test('it lies within the exact interval of Clopper and Pearson, or close to it', () => {
  for (const [successes, trials] of [
    [8, 10],
    [3, 40],
    [199, 200],
  ] as const) {
    const [low, high] = [
      jStat.beta.inv(0.025, successes, trials - successes + 1),
      jStat.beta.inv(0.975, successes + 1, trials - successes),
    ];
    const interval = wilsonInterval(successes, trials);
    expect(interval?.low).toBeGreaterThan(low - 0.02);
    expect(interval?.high).toBeLessThan(high + 0.002);
  }
});

test('nothing was tried: there is none', () => {
  expect(wilsonInterval(0, 0)).toBeNull();
});

test('the two quantiles of the normal distribution are what they are called', () => {
  expect(Z_CONFIDENCE).toBeCloseTo(jStat.normal.inv(0.975, 0, 1), 8);
  expect(Z_POWER).toBeCloseTo(jStat.normal.inv(0.8, 0, 1), 8);
});
