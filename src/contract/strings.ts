/** Replaces lone surrogates, which no UTF-8 file can hold, by U+FFFD. Pages and agents can produce them; canonical JSON refuses them. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** Cuts a text to so many characters; that it was cut is seen, and no half of a character is left. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${wellFormed(text.slice(0, most))}…` : text;
}

/**
 * Copies a JSON value with every string in it, object keys included, put through `change`. Keys that become equal get a
 * number. Numbers stay, but for what `changeNumber` makes of them.
 */
export function mapStrings(
  value: unknown,
  change: (text: string) => string,
  changeNumber: (number: number) => unknown = (number) => number,
): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value === 'number') return changeNumber(value);
  if (typeof value !== 'object' || value === null) return value;
  const mapped = (item: unknown) => mapStrings(item, change, changeNumber);
  if (Array.isArray(value)) return value.map(mapped);
  const copy = new Map<string, unknown>();
  for (const [key, item] of Object.entries(value)) copy.set(freeKey(copy, change(key)), mapped(item));
  return Object.fromEntries(copy);
}

function freeKey(taken: ReadonlyMap<string, unknown>, key: string): string {
  if (!taken.has(key)) return key;
  let number = 2;
  while (taken.has(`${key} (${number})`)) number += 1;
  return `${key} (${number})`;
}
