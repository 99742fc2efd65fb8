import jStat from 'jstat';
import { describe, expect, it } from 'vitest';
import { passAtK, passHatK } from '../../src/stats/reliability.ts';

/** The share of all draws of k trials that satisfy a rule, by writing down every one. */
function shareOfDraws(successes: number, trials: number, k: number, rule: (successes: number) => boolean): number {
  let [all, found] = [0, 0];
  for (let bits = 0; bits < 2 ** trials; bits += 1) {
    const drawn = Array.from({ length: trials }, (_, at) => at).filter((at) => Math.floor(bits / 2 ** at) % 2 === 1);
    if (drawn.length !== k) continue;
    all += 1;
    if (rule(drawn.filter((at) => at < successes).length)) found += 1;
  }
  return found / all;
}

describe('of n trials, c of them successes', () => {
  it('pass@k and pass^k are the shares of all draws of k in which one, or each, is a success', () => {
    const trials = 8;
    for (let successes = 0; successes <= trials; successes += 1) {
      for (let k = 1; k <= trials; k += 1) {
        expect(passAtK(successes, trials, k)).toBeCloseTo(
          shareOfDraws(successes, trials, k, (each) => each > 0),
          12,
        );
        expect(passHatK(successes, trials, k)).toBeCloseTo(
          shareOfDraws(successes, trials, k, (each) => each === k),
          12,
        );
      }
    }
  });

  it('both are the rate for k = 1', () => {
    expect(passAtK(7, 20, 1)).toBeCloseTo(0.35, 12);
    expect(passHatK(7, 20, 1)).toBeCloseTo(0.35, 12);
  });

  it('agree with binomial coefficients that jStat can compute', () => {
    expect(passAtK(12, 40, 10)).toBeCloseTo(1 - jStat.combination(28, 10) / jStat.combination(40, 10), 10);
    expect(passHatK(36, 40, 4)).toBeCloseTo(jStat.combination(36, 4) / jStat.combination(40, 4), 10);
  });

  it('are numbers even for larger coefficients', () => {
    expect(passHatK(9_990, 10_000, 100)).toBeCloseTo(0.904, 2);
  });

  it('are missing for k above n', () => {
    expect(passAtK(3, 3, 4)).toBeNull();
    expect(passHatK(3, 3, 4)).toBeNull();
    expect(passHatK(0, 0, 1)).toBeNull();
  });
});
