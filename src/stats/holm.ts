/**
 * Holm's step-down adjustment (S. Holm, Scandinavian Journal of Statistics 6, 1979) of the p-values of one family of tests, in
 * their order. Each may be compared with the level that the whole family is to keep.
 */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((p, index) => ({ p, index })).toSorted((a, b) => a.p - b.p);
  const adjusted = ps.map(() => 1);
  let least = 0;
  for (const [rank, { p, index }] of order.entries()) {
    least = Math.max(least, Math.min(1, p * (ps.length - rank)));
    adjusted[index] = least;
  }
  return adjusted;
}
