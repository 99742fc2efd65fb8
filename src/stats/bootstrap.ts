import type { Interval } from './interval.ts';
import { quantile } from './quantile.ts';
import { seededRandom } from './random.ts';

const DRAWS = 2_000;

/**
 * Percentile intervals of quantiles by the cluster bootstrap (A. C. Davison and D. V. Hinkley, Bootstrap Methods and their
 * Application, 1997, §3.8): whole clusters are drawn with replacement, and all values of a drawn one come with it. They follow
 * from the seed. One interval for each part; null below two clusters that have values.
 */
export function bootstrapQuantiles(
  clusters: readonly (readonly number[])[],
  parts: readonly number[],
  seed: number,
): (Interval | null)[] {
  const known = clusters.filter((cluster) => cluster.length > 0);
  if (known.length < 2) return parts.map(() => null);
  const sorted = known
    .flatMap((values, cluster) => values.map((value) => ({ value, cluster })))
    .toSorted((a, b) => a.value - b.value);
  const random = seededRandom(seed);
  const found = parts.map((): number[] => []);
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const times = new Uint32Array(known.length);
    for (let each = 0; each < known.length; each += 1) {
      const drawn = Math.floor(random() * known.length);
      times[drawn] = (times[drawn] ?? 0) + 1;
    }
    const size = known.reduce((total, values, cluster) => total + values.length * (times[cluster] ?? 0), 0);
    for (const [at, part] of parts.entries()) found[at]?.push(repeatedQuantile(sorted, times, (size - 1) * part));
  }
  return found.map(intervalOf);
}

/** The value at this place, counted from 0, of sorted values that each stand there as often as their cluster was drawn. */
function repeatedQuantile(
  sorted: readonly { value: number; cluster: number }[],
  times: Uint32Array,
  place: number,
): number {
  const [lower, upper] = [Math.floor(place), Math.ceil(place)];
  let [passed, low] = [0, Number.NaN];
  for (const { value, cluster } of sorted) {
    const before = passed;
    passed += times[cluster] ?? 0;
    if (before <= lower && lower < passed) low = value;
    if (upper < passed) return low + (value - low) * (place - lower);
  }
  return low;
}

function intervalOf(values: readonly number[]): Interval | null {
  const [low, high] = [quantile(values, 0.025), quantile(values, 0.975)];
  return low === null || high === null ? null : { low, high };
}
