import jStat from 'jstat';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { bootstrapQuantiles, quantile, seededRandom, signFlip } from '../../src/stats/resampling.ts';
import { holm } from '../../src/stats/difference.ts';

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

  it('of tenfold values in each cluster are no narrower, as those of single ones would be', () => {
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

/** Every assignment, one after the other, as bits of a number. */
function bruteForce(differences: readonly number[]): number {
  const total = Math.abs(differences.reduce((a, b) => a + b, 0));
  let extreme = 0;
  for (let bits = 0; bits < 2 ** differences.length; bits += 1) {
    const sum = differences.reduce((a, each, at) => a + (Math.floor(bits / 2 ** at) % 2 === 1 ? -each : each), 0);
    if (Math.abs(sum) >= total - 1e-9) extreme += 1;
  }
  return extreme / 2 ** differences.length;
}

describe('the sign-flip test', () => {
  it("gives the p of Fisher's example, Darwin's plants (1935, §21): 1 726 of 32 768", () => {
    const eighths = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];
    expect(signFlip(eighths, 1)).toEqual({ mean: 314 / 15, p: 1726 / 32_768, exact: true });
  });

  it('looks at every assignment, as brute force does', () => {
    const rates = fc.array(
      fc.integer({ min: -10, max: 10 }).map((tenths) => tenths / 10),
      { minLength: 1, maxLength: 10 },
    );
    fc.assert(
      fc.property(rates, (differences) => {
        expect(signFlip(differences, 1)?.p).toBeCloseTo(bruteForce(differences), 12);
      }),
      { seed: 1 },
    );
  });

  it('draws beyond 2^16 assignments, gives the same p for a seed, and comes close to the exact one', () => {
    const differences = Array.from({ length: 18 }, (_, at) => (at % 3 === 0 ? -0.2 : 0.3));
    const [drawn, again, other] = [signFlip(differences, 1), signFlip(differences, 1), signFlip(differences, 2)];
    expect(drawn).toEqual(again);
    expect(drawn).not.toEqual(other);
    expect(drawn).toMatchObject({ exact: false });
    expect(drawn?.p).toBeCloseTo(bruteForce(differences), 2);
  });

  it('never gives a p of 0, nor one below what its draws can show', () => {
    expect(
      signFlip(
        Array.from({ length: 40 }, () => 1),
        1,
      )?.p,
    ).toBeCloseTo(1 / 65_537, 12);
  });

  it('gives 1 for entrants that never differ, and nothing for none', () => {
    expect(signFlip([0, 0, 0], 1)).toMatchObject({ p: 1, mean: 0, exact: true });
    expect(signFlip([], 1)).toBeNull();
  });
});

describe("Holm's adjustment", () => {
  it('multiplies by how many are left, keeps the order, and stops at 1', () => {
    const expected = [0.03, 0.06, 0.06, 0.02];
    for (const [at, adjusted] of holm([0.01, 0.04, 0.03, 0.005]).entries()) {
      expect(adjusted).toBeCloseTo(expected[at] ?? 0, 12);
    }
    expect(holm([0.6, 0.7])).toEqual([1, 1]);
  });

  it('is never below the p that it adjusts, nor above that of Bonferroni', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }), (ps) => {
        const adjusted = holm(ps);
        for (const [at, p] of ps.entries()) {
          expect(adjusted[at]).toBeGreaterThanOrEqual(p);
          expect(adjusted[at]).toBeLessThanOrEqual(Math.min(1, p * ps.length) + 1e-12);
        }
      }),
      { seed: 1 },
    );
  });
});

test('leaves a single test unchanged', () => {
  expect(holm([0.03])).toEqual([0.03]);
});
