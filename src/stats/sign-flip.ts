import { seededRandom } from './random.ts';

export interface SignFlip {
  mean: number;
  /** Two-sided. */
  p: number;
  /** Whether every assignment of signs was looked at; else so many were drawn. */
  exact: boolean;
  assignments: number;
}

/** Up to so many differences that are not 0, all 2^n assignments are looked at. */
const MOST_EXACT = 16;
const DRAWS = 65_536;
/** Sums of floating-point numbers in another order are equal up to this. */
const TOLERANCE = 1e-9;

/**
 * Sign-flip permutation test of paired differences (R. A. Fisher, The Design of Experiments, 1935, §21): if two entrants do
 * not differ, each difference could as well have the other sign. Beyond 2^16 assignments, draws from the seed stand for all,
 * the one that was seen among them, so that p is never 0 (B. Phipson and G. K. Smyth, 2010). Null without differences.
 */
export function signFlip(differences: readonly number[], seed: number): SignFlip | null {
  if (differences.length === 0) return null;
  const total = sum(differences);
  const mean = total / differences.length;
  // A sign before 0 changes nothing, so that those assignments come in equal numbers.
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const least = Math.abs(total) - TOLERANCE;
  if (sizes.length <= MOST_EXACT) {
    const assignments = 2 ** sizes.length;
    return { mean, p: countAll(sizes, least) / assignments, exact: true, assignments };
  }
  const extreme = countDrawn(sizes, least, seededRandom(seed));
  return { mean, p: (extreme + 1) / (DRAWS + 1), exact: false, assignments: DRAWS };
}

/** Count the drawn assignments whose sum is as far from 0. */
function countDrawn(sizes: readonly number[], least: number, random: () => number): number {
  let extreme = 0;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    let drawn = 0;
    for (const size of sizes) drawn += random() < 0.5 ? -size : size;
    if (Math.abs(drawn) >= least) extreme += 1;
  }
  return extreme;
}

/** Count the assignments of signs whose sum is as far from 0. */
function countAll(sizes: readonly number[], least: number): number {
  let sums = [0];
  for (const size of sizes) sums = sums.flatMap((each) => [each - size, each + size]);
  return sums.filter((each) => Math.abs(each) >= least).length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
