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
  clusters: readonly Float64Array[],
  parts: readonly number[],
  seed: number,
): (Interval | null)[] {
  const known = clusters.filter((cluster) => cluster.length > 0);
  if (known.length < 2) return parts.map(() => null);
  const sorted = known.map((values) => values.toSorted());
  // Every value, from the smallest: a quantile is looked for among them by halving.
  const all = joinedValues(known).toSorted();
  const random = seededRandom(seed);
  const found = parts.map((): number[] => []);
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const times = new Uint32Array(known.length);
    for (let each = 0; each < known.length; each += 1) {
      const drawn = Math.floor(random() * known.length);
      times[drawn] = (times[drawn] ?? 0) + 1;
    }
    const size = known.reduce((total, values, cluster) => total + values.length * (times[cluster] ?? 0), 0);
    for (const [at, part] of parts.entries())
      found[at]?.push(repeatedQuantile({ sorted, all, times }, (size - 1) * part));
  }
  return found.map(intervalOf);
}

/** The values of all clusters, one behind the other. */
export function joinedValues(clusters: readonly Float64Array[]): Float64Array {
  const joined = new Float64Array(clusters.reduce((total, values) => total + values.length, 0));
  let at = 0;
  for (const values of clusters) {
    joined.set(values, at);
    at += values.length;
  }
  return joined;
}

/** The values of clusters, each in order, those of all of them, and how often each cluster was drawn. */
interface Drawn {
  sorted: readonly Float64Array[];
  all: Float64Array;
  times: Uint32Array;
}

/** The value at this index, from 0, of all sorted values, each repeated as often as its cluster was drawn. */
function repeatedQuantile(drawn: Drawn, place: number): number {
  const [lower, upper] = [Math.floor(place), Math.ceil(place)];
  const low = valueAt(drawn, lower);
  return upper === lower ? low : low + (valueAt(drawn, upper) - low) * (place - lower);
}

/** The smallest value that more than `place` of the repeated values do not exceed. */
function valueAt({ sorted, all, times }: Drawn, place: number): number {
  let [from, to] = [0, all.length - 1];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const value = all[middle] ?? 0;
    let upTo = 0;
    for (const [cluster, values] of sorted.entries()) {
      const drawn = times[cluster] ?? 0;
      if (drawn > 0) upTo += drawn * countUpTo(values, value);
    }
    if (upTo > place) to = middle;
    else from = middle + 1;
  }
  return all[from] ?? Number.NaN;
}

/** Count the values that do not exceed one; they are sorted. */
function countUpTo(values: Float64Array, most: number): number {
  let [from, to] = [0, values.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((values[middle] ?? 0) <= most) from = middle + 1;
    else to = middle;
  }
  return from;
}

function intervalOf(values: readonly number[]): Interval | null {
  const [low, high] = [quantile(values, 0.025), quantile(values, 0.975)];
  return low === null || high === null ? null : { low, high };
}
