import jStat from 'jstat';
import { describe, expect, it, test } from 'vitest';
import { bootstrapQuantiles } from '../../src/stats/bootstrap.ts';
import { quantile } from '../../src/stats/quantile.ts';
import { seededRandom } from '../../src/stats/random.ts';

const random = seededRandom(3);
const VALUES = Array.from({ length: 60 }, () => -Math.log(1 - random()) * 1_000);
const SINGLE = VALUES.map((value) => [value]);
const TENFOLD = VALUES.map((value) => Array.from({ length: 10 }, () => value));

function one(clusters: readonly (readonly number[])[], part: number, seed = 1) {
  const [interval] = bootstrapQuantiles(
    clusters.map((values) => Float64Array.from(values)),
    [part],
    seed,
  );
  if (interval === null || interval === undefined) throw new Error('there is no interval');
  return { ...interval, width: interval.high - interval.low };
}

test('quantiles are those of jStat, of type 7', () => {
  for (const part of [0, 0.05, 0.5, 0.95, 1]) {
    expect(quantile(VALUES, part)).toBeCloseTo(jStat.quantiles(VALUES, [part], 1, 1)[0] ?? Number.NaN, 8);
  }
});

describe('bootstrap intervals of quantiles', () => {
  it.each([0, 0.3, 0.5, 0.95, 1])('are those of all 256 draws of four clusters, at %f', (part) => {
    const clusters = [[1, 2], [10], [3, 4, 50], [7]];
    const all = clusters.flatMap((a) =>
      clusters.flatMap((b) => clusters.flatMap((c) => clusters.map((d) => quantile([...a, ...b, ...c, ...d], part)))),
    );
    const { low, high } = one(clusters, part);
    // A draw of 2 000 may miss the very step of 1/256 at which a quantile of so few values jumps.
    const near = (place: number) => [place - 0.008, place, place + 0.008].map((at) => quantile(all, at));
    expect(Math.min(...near(0.025).map((each) => Math.abs((each ?? 0) - low)))).toBeLessThan(1);
    expect(Math.min(...near(0.975).map((each) => Math.abs((each ?? 0) - high)))).toBeLessThan(1);
  });

  it('lie about those of order statistics, for the median of 60', () => {
    const sorted = VALUES.toSorted((a, b) => a - b);
    const { low, high } = one(SINGLE, 0.5);
    // Binomial(60, 1/2): ranks 22 and 39 hold the median with 95 %.
    expect(low).toBeGreaterThan(sorted[18] ?? 0);
    expect(low).toBeLessThan(sorted[25] ?? 0);
    expect(high).toBeGreaterThan(sorted[34] ?? 0);
    expect(high).toBeLessThan(sorted[42] ?? 0);
  });

  it('follow from the seed alone', () => {
    expect(one(SINGLE, 0.5, 5)).toEqual(one(SINGLE, 0.5, 5));
    expect(one(SINGLE, 0.5, 5)).not.toEqual(one(SINGLE, 0.5, 6));
  });

  it('of the same values tenfold in each cluster are no narrower, while of single ones they would be', () => {
    const clustered = one(TENFOLD, 0.5).width;
    expect(clustered).toBeGreaterThan(0.8 * one(SINGLE, 0.5).width);
    expect(clustered).toBeGreaterThan(
      2 *
        one(
          TENFOLD.flat().map((each) => [each]),
          0.5,
        ).width,
    );
  });

  it('of one cluster, or of none, are not known', () => {
    expect(bootstrapQuantiles([Float64Array.of(1, 2, 3)], [0.5, 0.95], 1)).toEqual([null, null]);
    expect(bootstrapQuantiles([new Float64Array(), new Float64Array()], [0.5], 1)).toEqual([null]);
  });
});
