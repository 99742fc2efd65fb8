import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { holm } from '../../src/stats/holm.ts';
import { signFlip } from '../../src/stats/sign-flip.ts';

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
    expect(signFlip(eighths, 1)).toEqual({ mean: 314 / 15, p: 1726 / 32_768, exact: true, assignments: 32_768 });
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

  it('of entrants that never differ gives 1, and of none nothing', () => {
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

test('a single test is left as it is', () => {
  expect(holm([0.03])).toEqual([0.03]);
});
