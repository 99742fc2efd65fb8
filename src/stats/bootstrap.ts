import type { Interval } from './interval.ts';
import { quantile } from './quantile.ts';
import { seededRandom } from './random.ts';

const DRAWS = 2_000;

/**
 * The percentile interval of a statistic by the cluster bootstrap (A. C. Davison and D. V. Hinkley, Bootstrap Methods and their
 * Application, 1997, §3.8): whole clusters are drawn with replacement, all values of a drawn one come with it. It follows from
 * the seed. Null below two clusters that have values, or when a draw has no such statistic.
 */
export function bootstrapInterval(
  clusters: readonly (readonly number[])[],
  statistic: (values: readonly number[]) => number | null,
  seed: number,
): Interval | null {
  const known = clusters.filter((cluster) => cluster.length > 0);
  if (known.length < 2) return null;
  const random = seededRandom(seed);
  const found: number[] = [];
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const value = statistic(known.flatMap(() => known[Math.floor(random() * known.length)] ?? []));
    if (value === null) return null;
    found.push(value);
  }
  const [low, high] = [quantile(found, 0.025), quantile(found, 0.975)];
  return low === null || high === null ? null : { low, high };
}
