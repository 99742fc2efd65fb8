import { isRecord } from '../contract/validation/record.ts';

/** The tasks that a file holds, one or a list of them, and where in it each stands. */
export function candidatesIn(value: unknown): { value: unknown; path: number[] }[] {
  if (isRecord(value) || !Array.isArray(value)) return [{ value, path: [] }];
  const entries: readonly unknown[] = value;
  return entries.map((entry, index) => ({ value: entry, path: [index] }));
}
