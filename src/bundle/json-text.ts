import { isUtf8 } from 'node:buffer';
import { BundleError } from './errors.ts';

const REMEDY = 'restore it; do not edit it by hand, and do not trust a bundle that came like this';

/** Decodes untrusted bytes. @throws BundleError `malformed` unless they are UTF-8; `name` is their source. */
export function textIn(bytes: Buffer, name: string): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  // Other bytes would decode to the same text and differ only by their hash.
  throw new BundleError('malformed', `${name} is not UTF-8`, REMEDY);
}

/**
 * Refuse half of a character (a lone surrogate): canonical JSON, by which values are hashed and compared, has to be text. No writer of
 * ours leaves one.
 * @param text that the value was parsed from
 * @throws BundleError `malformed` naming the field that holds one.
 */
export function refuseHalves(text: string, value: unknown, name: string): void {
  // UTF-8 cannot hold them, so they are escaped, and little else is.
  if (!/\\u[dD][89a-fA-F]/.test(text)) return;
  const place = placeOfHalf(value);
  if (place === null) return;
  const where = place === '' ? '' : ` in ${place}`;
  throw new BundleError('malformed', `${name} holds half of a character${where}`, REMEDY);
}

const HALF = /\p{Surrogate}/u;

/** The path of a string or name that holds half of a character; null when none does. It does not recurse: the value may be nested deep. */
function placeOfHalf(whole: unknown): string | null {
  const waiting: { value: unknown; place: readonly string[] }[] = [{ value: whole, place: [] }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, place } = next;
    if (typeof value === 'string' && HALF.test(value)) return inWords(place);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (HALF.test(key)) return inWords([...place, key]);
      if (typeof inner === 'string' || typeof inner === 'object')
        waiting.push({ value: inner, place: [...place, key] });
    }
  }
  return null;
}

/** Quotes a name that is not a plain word; this also escapes lone surrogates. */
function inWords(place: readonly string[]): string {
  return place.map((part) => (/^[\w-]+$/.test(part) ? part : JSON.stringify(part))).join('.');
}
