/** Replaces lone surrogates, which no UTF-8 file can hold, by U+FFFD. Pages and agents can produce them; canonical JSON refuses them. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/**
 * Copies JSON of others with U+FFFD for every lone surrogate: whatever is hashed, compared or written has to be text. A
 * string stays a string, so the type holds.
 */
export function wellFormedJson<T>(value: T): T;
export function wellFormedJson(value: unknown): unknown {
  return mapStrings(value, wellFormed);
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

/**
 * The form in which text is compared: Unicode NFC, every run of white space (Unicode's White_Space, so a no-break space
 * too) one space, none at the ends.
 *
 * Characters that have no glyph and no meaning of their own are removed, as neither the user nor the author of a
 * contract can see them: soft hyphen, zero-width space, word joiner, byte order mark, and the marks that only steer the
 * direction of text (which date and number formatting inserts). The zero-width joiner and non-joiner are kept: they
 * make different words and different emoji.
 */
export function normaliseText(text: string): string {
  return text.replaceAll(INVISIBLE, '').normalize('NFC').replaceAll(WHITE_SPACE, ' ').trim();
}

const INVISIBLE = /[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gu;
const WHITE_SPACE = /\p{White_Space}+/gu;

/** Every text and number in a value. */
export function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
}

/** The plain letters of a pattern, between its signs. */
export function piecesOf(pattern: string | undefined): string[] {
  return pattern?.split(/(?:\\[A-Za-z]|[\\^$.*+?()[\]{}|/])+/) ?? [];
}
