import type { Operator } from './fields.ts';

export function holds(actual: number, op: Operator, wanted: number): boolean {
  if (op === 'eq') return actual === wanted;
  return op === 'gte' ? actual >= wanted : actual <= wanted;
}

const WORDS: Record<Operator, string> = { eq: 'exactly', gte: 'at least', lte: 'at most' };

/** For example `at least 2`. */
export function describeComparison(op: Operator, value: number): string {
  return `${WORDS[op]} ${value}`;
}
