import { mapStrings, wellFormed } from '../contract/strings.ts';

/**
 * Copies JSON of others with U+FFFD for every lone surrogate: whatever is hashed, compared or written has to be text. A
 * string stays a string, so the type holds.
 */
export function wellFormedJson<T>(value: T): T;
export function wellFormedJson(value: unknown): unknown {
  return mapStrings(value, wellFormed);
}
