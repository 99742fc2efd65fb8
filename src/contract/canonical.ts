import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * The one JSON text of a value (RFC 8785), the same bytes on every machine.
 * @throws on what JSON cannot hold: `undefined`, NaN, infinities, functions, lone surrogates, cycles.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError(`${typeof value} has no JSON form; hash a JSON value`);
  return text;
}

/** SHA-256 in lower-case hexadecimal, of the UTF-8 bytes of a string. */
export function sha256Hex(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function hashJson(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}
