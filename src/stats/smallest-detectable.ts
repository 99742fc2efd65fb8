import { Z_CONFIDENCE, Z_POWER } from './interval.ts';

/** Settings of the test of a family of pairs. */
const LEVEL = 0.05;
/** Variance, over tasks, of the difference of two entrants' true success rates that is assumed before anything is measured. */
const BETWEEN_TASKS = 1 / 9;
/** Variance of one trial of a task within an entrant, with rates spread evenly from 0 to 1: the mean of p(1 − p). */
const WITHIN_TASK = 1 / 6;

/**
 * The smallest difference of success rates that so many templates with so many trials each would show at the level 0.05 in
 * 80 of 100 campaigns: (z(0.975) + z(0.8)) · √((ω² + σ²/K + σ²/K) / n), with ω² = 1/9 and σ² = 1/6 (E. Miller, "Adding Error
 * Bars to Evals", arXiv:2411.00640, §5; cited from memory, and checked against its example of 969 tasks). 1 is the most that
 * two rates can differ by. Null where no difference can be shown: without templates or trials, and where the sign-flip test,
 * whose p is 2 / 2^n at the least, cannot come to the level after Holm's adjustment for so many pairs.
 */
export function smallestDetectable(templates: number, trialsPerTemplate: number, pairs: number): number | null {
  if (templates < 1 || trialsPerTemplate <= 0) return null;
  if ((pairs * 2) / 2 ** templates > LEVEL) return null;
  const variance = BETWEEN_TASKS + (2 * WITHIN_TASK) / trialsPerTemplate;
  return Math.min(1, detectableWith(variance, templates));
}

/** The same from the variance of the differences that were seen, per template. */
export function detectableWith(varianceOfDifferences: number, templates: number): number {
  return (Z_CONFIDENCE + Z_POWER) * Math.sqrt(varianceOfDifferences / templates);
}
