/**
 * pass@k: the probability that one at least of k trials succeeds, estimated without bias from c successes in n trials as
 * 1 − C(n−c, k) / C(n, k) (M. Chen and others, arXiv:2107.03374, 2021). Null for k above n, of which n trials say nothing.
 */
export function passAtK(successes: number, trials: number, k: number): number | null {
  const noneOf = shareOfDraws(trials - successes, trials, k);
  return noneOf === null ? null : 1 - noneOf;
}

/**
 * pass^k: the probability that all of k trials succeed, estimated without bias as C(c, k) / C(n, k) (S. Yao and others,
 * τ-bench, arXiv:2406.12045, 2024). Null for k above n.
 */
export function passHatK(successes: number, trials: number, k: number): number | null {
  return shareOfDraws(successes, trials, k);
}

/** The share of the draws of k out of n that hold only some m of them: C(m, k) / C(n, k), without large numbers. */
function shareOfDraws(some: number, all: number, k: number): number | null {
  if (k > all || k < 1) return null;
  let share = 1;
  for (let drawn = 0; drawn < k; drawn += 1) share *= Math.max(0, some - drawn) / (all - drawn);
  return share;
}
