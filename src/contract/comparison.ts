import type { Operator } from './fields.ts';

export function holds(actual: number, op: Operator, wanted: number): boolean {
  if (op === 'eq') return actual === wanted;
  return op === 'gte' ? actual >= wanted : actual <= wanted;
}
