import jStat from 'jstat';
import { describe, expect, it, test } from 'vitest';
import {
  Z_CONFIDENCE,
  Z_POWER,
  wilsonInterval,
  type Cluster,
  clusteredProportion,
  studentQuantile975,
} from '../../src/stats/proportion.ts';
import { seededRandom } from '../../src/stats/resampling.ts';

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

test('is null without trials', () => {
  expect(wilsonInterval(0, 0)).toBeNull();
});

test('the two quantiles of the normal distribution match their names', () => {
  expect(Z_CONFIDENCE).toBeCloseTo(jStat.normal.inv(0.975, 0, 1), 8);
  expect(Z_POWER).toBeCloseTo(jStat.normal.inv(0.8, 0, 1), 8);
});

test("Student's quantile is that of jStat for every possible number of clusters", () => {
  for (const degrees of [1, 2, 3, 4, 5, 8, 19, 20, 59, 100, 999]) {
    expect(studentQuantile975(degrees)).toBeCloseTo(jStat.studentt.inv(0.975, degrees), 5);
  }
});

const times = <T>(count: number, each: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => each(at));

describe('a proportion over clusters', () => {
  it('counts clusters, not trials, if all trials end the same way', () => {
    const { effective_trials: effective, interval } = clusteredProportion(
      times(60, (at) => ({ successes: at < 42 ? 10 : 0, trials: 10 })),
    );
    expect(effective).toBeGreaterThan(50);
    expect(effective).toBeLessThan(60);
    const naive = wilsonInterval(420, 600);
    expect(interval?.low).toBeLessThan((naive?.low ?? 0) - 0.05);
  });

  it('counts no more trials than there are, even if clusters differ by less than chance', () => {
    const { effective_trials: effective } = clusteredProportion(times(50, () => ({ successes: 5, trials: 10 })));
    expect(effective).toBeLessThan(500);
    expect(effective).toBeGreaterThan(450);
  });

  it('without variance is as wide as that of as many single trials', () => {
    const all = clusteredProportion(times(8, () => ({ successes: 10, trials: 10 })));
    expect(all.interval).toEqual(wilsonInterval(8, 8));
    const none = clusteredProportion(times(8, () => ({ successes: 0, trials: 10 })));
    expect(none.interval).toEqual(wilsonInterval(0, 8));
  });

  it('keeps its lower bound after one failure, and its upper bound after one pass', () => {
    const of = (failed: number) =>
      clusteredProportion(times(4, (at) => ({ successes: at < failed ? 9 : 10, trials: 10 })));
    expect(of(1).interval?.low).toBe(of(0).interval?.low);
    expect(of(4).interval?.low).toBeLessThanOrEqual(of(1).interval?.low ?? 0);
    const passed = (once: number) =>
      clusteredProportion(times(4, (at) => ({ successes: at < once ? 1 : 0, trials: 10 })));
    expect(passed(1).interval?.high).toBe(passed(0).interval?.high);
  });

  it('of one cluster has a rate, and no interval', () => {
    const one = clusteredProportion([{ successes: 3, trials: 10 }]);
    expect(one).toMatchObject({ rate: 0.3, interval: null, effective_trials: null });
  });

  it('of nothing has neither', () => {
    expect(clusteredProportion([{ successes: 0, trials: 0 }])).toMatchObject({
      rate: null,
      interval: null,
      clusters: 0,
    });
  });
});

test("in 1 000 campaigns with differing tasks, its intervals cover the truth in 93 % at least, and Wilson's do not", () => {
  const random = seededRandom(7);
  let [clustered, naive] = [0, 0];
  const holds = (interval: { low: number; high: number } | null) =>
    interval !== null && interval.low <= TRUTH && TRUTH <= interval.high;
  for (let campaign = 0; campaign < 1_000; campaign += 1) {
    const clusters: Cluster[] = times(20, () => {
      // Success rates of tasks lie evenly between 0 and 1.
      const rate = random();
      return { successes: times(10, () => (random() < rate ? 1 : 0)).filter((each) => each === 1).length, trials: 10 };
    });
    const { interval, successes, trials } = clusteredProportion(clusters);
    if (holds(interval)) clustered += 1;
    if (holds(wilsonInterval(successes, trials))) naive += 1;
  }
  expect(clustered).toBeGreaterThan(930);
  expect(naive).toBeLessThan(800);
});
const TRUTH = 0.5;
