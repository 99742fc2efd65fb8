import { z } from 'zod';

/** `inconclusive`: the judge could not judge; no path leads from there to `pass`. */
export const Verdict = z.enum(['pass', 'fail', 'inconclusive']);
export type Verdict = z.infer<typeof Verdict>;

/** Kleene's conjunction: false wins over unknown, unknown over true. */
export function all(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('fail')) return 'fail';
  return verdicts.includes('inconclusive') ? 'inconclusive' : 'pass';
}

/** Kleene's disjunction: true wins over unknown, unknown over false. */
export function any(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('pass')) return 'pass';
  return verdicts.includes('inconclusive') ? 'inconclusive' : 'fail';
}

export function negate(verdict: Verdict): Verdict {
  if (verdict === 'inconclusive') return verdict;
  return verdict === 'pass' ? 'fail' : 'pass';
}
