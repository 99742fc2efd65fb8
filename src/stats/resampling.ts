import type { Interval } from './proportion.ts';

type Values = readonly (number | null)[] | Float64Array;

/** The quantile of the values that are known, by linear interpolation between neighbours (Hyndman and Fan's type 7); null without values. */
export function quantile(values: Values, part: number): number | null {
  // For a million values, lists would take several times as much memory.
  const room = new Float64Array(values.length);
  let count = 0;
  for (const value of values) if (value !== null) room[count++] = value;
  const known = room.subarray(0, count).toSorted();
  const at = (known.length - 1) * part;
  const lower = known[Math.floor(at)];
  const upper = known[Math.ceil(at)];
  return lower === undefined || upper === undefined ? null : lower + (upper - lower) * (at - Math.floor(at));
}

export function median(values: Values): number | null {
  return quantile(values, 0.5);
}

/**
 * Pseudorandom numbers from 0 up to 1, determined by the seed: the generator sfc32 of C. Doty-Humphrey's PractRand, which has a
 * period of at least 2^32.
 */
export function seededRandom(seed: number): () => number {
  let [a, b, c, counter] = [0x9e3779b9, 0x243f6a88, seed | 0, 1];
  const next = () => {
    const mixed = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + mixed) | 0;
    return (mixed >>> 0) / 2 ** 32;
  };
  for (let warmUp = 0; warmUp < 15; warmUp += 1) next();
  return next;
}

const BOOTSTRAP_DRAWS = 2_000;

/**
 * Percentile intervals of quantiles by the cluster bootstrap (A. C. Davison and D. V. Hinkley, Bootstrap Methods and their
 * Application, 1997, §3.8): whole clusters are drawn with replacement, by the seed. Returns an interval for each part; null
 * below two clusters with values.
 */
export function bootstrapQuantiles(
  clusters: readonly Float64Array[],
  parts: readonly number[],
  seed: number,
): (Interval | null)[] {
  const known = clusters.filter((cluster) => cluster.length > 0);
  if (known.length < 2) return parts.map(() => null);
  const sorted = known.map((values) => values.toSorted());
  // Distinct values, sorted for a binary search.
  const all = Float64Array.from(new Set(joinedValues(known))).toSorted();
  const random = seededRandom(seed);
  const found = parts.map((): number[] => []);
  for (let draw = 0; draw < BOOTSTRAP_DRAWS; draw += 1) {
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

interface SignFlip {
  mean: number;
  /** Two-sided. */
  p: number;
  /** Whether every assignment of signs was tried; otherwise some were drawn. */
  exact: boolean;
}

/** Up to this many non-zero differences, all 2^n assignments are tried. */
const MAX_EXACT = 16;
const SIGN_DRAWS = 65_536;
/** Sums of floating-point numbers in another order are equal up to this. */
const TOLERANCE = 1e-9;

/**
 * Sign-flip permutation test of paired differences (R. A. Fisher, The Design of Experiments, 1935, §21): if two entrants do
 * not differ, each difference could as well have the other sign. Beyond 2^16 assignments, a sample drawn by the seed replaces all;
 * it includes the observed one, so that p is never 0 (B. Phipson and G. K. Smyth, 2010). Null without differences.
 */
export function signFlip(differences: readonly number[], seed: number): SignFlip | null {
  if (differences.length === 0) return null;
  const total = sum(differences);
  const mean = total / differences.length;
  // The sign of 0 does not matter, so both of its signs occur equally often.
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const least = Math.abs(total) - TOLERANCE;
  if (sizes.length <= MAX_EXACT) {
    return { mean, p: countAll(sizes, least) / 2 ** sizes.length, exact: true };
  }
  const extreme = countDrawn(sizes, least, seededRandom(seed));
  return { mean, p: (extreme + 1) / (SIGN_DRAWS + 1), exact: false };
}

/** Counts the drawn assignments whose sum is at least as far from 0. */
function countDrawn(sizes: readonly number[], least: number, random: () => number): number {
  let extreme = 0;
  for (let draw = 0; draw < SIGN_DRAWS; draw += 1) {
    let drawn = 0;
    for (const size of sizes) drawn += random() < 0.5 ? -size : size;
    if (Math.abs(drawn) >= least) extreme += 1;
  }
  return extreme;
}

/** Counts the assignments of signs whose sum is at least as far from 0. */
function countAll(sizes: readonly number[], least: number): number {
  let sums = [0];
  for (const size of sizes) sums = sums.flatMap((each) => [each - size, each + size]);
  return sums.filter((each) => Math.abs(each) >= least).length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
