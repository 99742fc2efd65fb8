/** A string in a value, and its key; null in a list, and for the value itself. */
export interface FoundString {
  key: string | null;
  text: string;
}

/**
 * All strings in a JSON value, in no order. It does not recurse: a sender can nest a value as deep as it likes.
 * The key of a value that Playwright writes as `{k: "name", v: value}` is its name.
 */
export function stringsIn(value: unknown): FoundString[] {
  const found: FoundString[] = [];
  const waiting: { key: string | null; value: unknown }[] = [{ key: null, value }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { key, value: current } = next;
    if (typeof current === 'string') found.push({ key, text: current });
    if (typeof current !== 'object' || current === null) continue;
    if (Array.isArray(current)) {
      for (const each of current) waiting.push({ key: null, value: each });
      continue;
    }
    const name = 'k' in current && typeof current.k === 'string' ? current.k : 'v';
    for (const [field, each] of Object.entries(current)) {
      waiting.push({ key: field === 'v' ? name : field, value: each });
    }
  }
  return found;
}
