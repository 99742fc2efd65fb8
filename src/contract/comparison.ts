/** `eq`, `gte` or `lte`, as in contracts. */
export type Comparison = 'eq' | 'gte' | 'lte';

export function compare(actual: number, op: Comparison, wanted: number): boolean {
  if (op === 'eq') return actual === wanted;
  return op === 'gte' ? actual >= wanted : actual <= wanted;
}

const WORDS: Record<Comparison, string> = { eq: 'exactly', gte: 'at least', lte: 'at most' };

/** For example `at least 2`. */
export function describeComparison(op: Comparison, value: number): string {
  return `${WORDS[op]} ${value}`;
}
