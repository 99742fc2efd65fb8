/** Replaces lone surrogates, which neither UTF-8 nor canonical JSON can hold, by U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** The same for all text in JSON from others. A string stays a string, so the type holds. */
export function wellFormedJson<T>(value: T): T;
export function wellFormedJson(value: unknown): unknown {
  return mapStrings(value, wellFormed);
}

/** Copies a JSON value with every string, object keys included, put through `change`. Keys that become equal get a number. */
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

/**
 * The form in which text is compared: Unicode NFC, each run of white space (White_Space, no-break space included) one space,
 * none at the ends.
 * Characters without glyph and meaning, which neither user nor author can see, are removed: soft hyphen, zero-width space, word
 * joiner, byte order mark, and direction marks. The zero-width joiner and non-joiner stay: they make different words and emoji.
 */
export function normaliseText(text: string): string {
  return text.replaceAll(INVISIBLE, '').normalize('NFC').replaceAll(WHITE_SPACE, ' ').trim();
}

const INVISIBLE = /[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gu;
const WHITE_SPACE = /\p{White_Space}+/gu;

export function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
}

/** The plain letters of a pattern, between its operators. */
export function piecesOf(pattern: string | undefined): string[] {
  return pattern?.split(/(?:\\[A-Za-z]|[\\^$.*+?()[\]{}|/])+/) ?? [];
}
