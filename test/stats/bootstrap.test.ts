import jStat from 'jstat';
import { describe, expect, it, test } from 'vitest';
import { bootstrapInterval } from '../../src/stats/bootstrap.ts';
import { median, quantile } from '../../src/stats/quantile.ts';
import { seededRandom } from '../../src/stats/random.ts';

const random = seededRandom(3);
const VALUES = Array.from({ length: 60 }, () => -Math.log(1 - random()) * 1_000);
const SINGLE = VALUES.map((value) => [value]);
const width = (interval: { low: number; high: number } | null) => (interval?.high ?? 0) - (interval?.low ?? 0);

test('quantiles are those of jStat, of type 7', () => {
  for (const part of [0, 0.05, 0.5, 0.95, 1]) {
    expect(quantile(VALUES, part)).toBeCloseTo(jStat.quantiles(VALUES, [part], 1, 1)[0] ?? Number.NaN, 8);
  }
});

describe('a bootstrap interval', () => {
  it('of a mean is close to that of the normal distribution', () => {
    const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
    const at = mean(VALUES);
    const error = Math.sqrt(mean(VALUES.map((each) => (each - at) ** 2)) / VALUES.length);
    const interval = bootstrapInterval(SINGLE, mean, 1);
    expect(Math.abs((interval?.low ?? 0) - (at - 1.96 * error))).toBeLessThan(error / 4);
    expect(Math.abs((interval?.high ?? 0) - (at + 1.96 * error))).toBeLessThan(error / 4);
  });

  it('of a median is close to that of order statistics', () => {
    const sorted = VALUES.toSorted((a, b) => a - b);
    const interval = bootstrapInterval(SINGLE, median, 1);
    // Binomial(60, 1/2): ranks 22 and 39 hold the median with 95 %.
    expect(interval?.low).toBeGreaterThan(sorted[18] ?? 0);
    expect(interval?.low).toBeLessThan(sorted[25] ?? 0);
    expect(interval?.high).toBeGreaterThan(sorted[34] ?? 0);
    expect(interval?.high).toBeLessThan(sorted[42] ?? 0);
  });

  it('follows from its seed alone', () => {
    expect(bootstrapInterval(SINGLE, median, 5)).toEqual(bootstrapInterval(SINGLE, median, 5));
    expect(bootstrapInterval(SINGLE, median, 5)).not.toEqual(bootstrapInterval(SINGLE, median, 6));
  });

  it('of the same values tenfold in each cluster is no narrower, while as single ones it would be', () => {
    const tenfold = VALUES.map((value) => Array.from({ length: 10 }, () => value));
    const clustered = width(bootstrapInterval(tenfold, median, 1));
    expect(clustered).toBeGreaterThan(0.8 * width(bootstrapInterval(SINGLE, median, 1)));
    expect(clustered).toBeGreaterThan(
      2 *
        width(
          bootstrapInterval(
            tenfold.flat().map((each) => [each]),
            median,
            1,
          ),
        ),
    );
  });

  it('of one cluster, of none, or of what has no value is not known', () => {
    expect(bootstrapInterval([[1, 2, 3]], median, 1)).toBeNull();
    expect(bootstrapInterval([[], []], median, 1)).toBeNull();
    expect(bootstrapInterval([[1], [2]], () => null, 1)).toBeNull();
  });
});
