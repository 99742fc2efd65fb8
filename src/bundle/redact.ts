import { fact } from '../messages/messages.ts';
import { BundleError } from './errors.ts';
import { mapStrings, wellFormed } from '../contract/strings.ts';

/**
 * The regular expression that finds a secret in the forms in which software writes it: raw, with characters escaped for JSON,
 * URLs, forms or HTML (also one escape in another), in hexadecimal, and inside base64 at all three alignments. Not found are
 * other cases of its letters, base64 of base64, compression, and pictures.
 */
export function secretPattern(secret: string, placeholderNames: string): string {
  const parts = secret.match(/\\+|[^\\]/gu) ?? [];
  const direct = parts.map((part) => directForm(part, placeholderNames)).join('');
  const hexadecimal = [...Buffer.from(secret)].map((byte) => hex(byte, 2)).join('');
  return [direct, hexadecimal, ...[0, 1, 2].map((shift) => base64Form(Buffer.from(secret), shift))].join('|');
}

/** One character of the secret (or a run of backslashes): itself or an escape. Letters and digits have escapes in URLs only. */
function directForm(character: string, placeholderNames: string): string {
  if (character.startsWith('\\')) return backslashes(character.length);
  if (/[A-Za-z0-9]/.test(character)) return either([character, percent(Buffer.from(character))]);
  if (character === '[') return either([`\\[(?!secret:(?:${placeholderNames})\\])`, ...escapes(character)]);
  return either([literal(character), ...escapes(character)]);
}

/** Every quantifier is bounded, so the time is linear for any page. */
function escapes(character: string): string[] {
  const utf8 = Buffer.from(character);
  const codePoint = character.codePointAt(0) ?? 0;
  return [
    percent(utf8),
    [...utf16(character)].map((unit) => `\\\\{1,8}u${hex(unit, 4)}`).join(''),
    `&(?:amp;){0,2}#(?:0{0,8}${codePoint}|[xX]0{0,8}${hex(codePoint, 1)});`,
    ...(utf8.length > 1 ? [literal(utf8.toString('latin1'))] : []),
    ...(SPECIAL_ESCAPES[character] ?? []),
  ];
}

function percent(utf8: Uint8Array): string {
  return [...utf8].map((byte) => `%(?:25){0,2}${hex(byte, 2)}`).join('');
}

/** Backslashes double with each level of JSON inside JSON: 1, 2, 4, 8. A run is one quantifier, which keeps the search fast. */
function backslashes(count: number): string {
  return either([`\\\\{${count},${8 * count}}`, ...escapes('\\').map((form) => `(?:${form}){${count}}`)]);
}

/** Before a quote there are 0, 1, 3 or 7 backslashes. */
const SPECIAL_ESCAPES: Readonly<Record<string, readonly string[]>> = {
  ' ': ['\\+'],
  '"': ['\\\\{1,7}"', entity('quot')],
  '/': ['\\\\{1,7}/'],
  "'": ["\\\\{1,7}'", entity('apos')],
  '&': [entity('amp')],
  '<': [entity('lt')],
  '>': [entity('gt')],
  '\b': ['\\\\{1,7}b'],
  '\f': ['\\\\{1,7}f'],
  '\n': ['\\\\{1,7}n'],
  '\r': ['\\\\{1,7}r'],
  '\t': ['\\\\{1,7}t'],
};

function entity(name: string): string {
  return `&(?:amp;){0,2}${name};`;
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * The base64 digits of the secret's bits when `shift` other bytes precede it in their group of three. At both ends a digit may
 * share its six bits with a neighbour: any digit with the secret's bits matches there.
 */
function base64Form(bytes: Buffer, shift: number): string {
  const known = [...Array<null>(shift * 8).fill(null), ...[...bytes].flatMap(bitsOf)];
  const digits: string[] = [];
  for (let at = shift * 8 - ((shift * 8) % 6); at < known.length; at += 6) {
    digits.push(base64Digit(known.slice(at, at + 6)));
  }
  return digits.join('');
}

function base64Digit(bits: readonly (number | null)[]): string {
  const fits = (value: number) => bits.every((bit, place) => bit === null || bit === ((value >> (5 - place)) & 1));
  const candidates = BASE64.split('').filter((_, value) => fits(value));
  return either(candidates.flatMap((digit) => BASE64_SPECIALS[digit] ?? digit));
}

/** `+` and `/` are `-` and `_` in base64url, and are escaped in URLs and JSON. */
const BASE64_SPECIALS: Readonly<Record<string, readonly string[]>> = {
  '+': ['\\+', '-', ...escapes('+')],
  '/': ['/', '_', '\\\\{1,7}/', ...escapes('/')],
};

function bitsOf(byte: number): number[] {
  return [7, 6, 5, 4, 3, 2, 1, 0].map((place) => (byte >> place) & 1);
}

function* utf16(text: string): Generator<number> {
  for (let index = 0; index < text.length; index += 1) yield text.charCodeAt(index);
}

function hex(value: number, width: number): string {
  const digits = value.toString(16).padStart(width, '0');
  return digits.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function either(forms: readonly string[]): string {
  if (forms.length === 1) return forms.join('');
  return forms.every((form) => /^[A-Za-z0-9]$/.test(form)) ? `[${forms.join('')}]` : `(?:${forms.join('|')})`;
}

export interface Secret {
  name: string;
  value: string;
}

/**
 * Replaces secrets in any encoding by `[secret:NAME]`, and lone surrogates, which have no canonical JSON. Everything passes
 * through it before it is judged, hashed or written.
 */
export interface Redactor {
  readonly text: (text: string) => string;
  /**
   * Redacts every string of a JSON value of ours, and numbers that are answers. Our keys stay, even if a secret equals one
   * ("captured"); below {@link FOREIGN_FIELDS}, keys and numbers are redacted too.
   */
  readonly json: <T>(value: T) => T;
}

/** Fields whose data has keys of others: a tool call's arguments, and an app's state at the start and now. */
export const FOREIGN_FIELDS: ReadonlySet<string> = new Set(['args', 'start', 'now']);

/** Holds the agent's text or number, and no number of ours. */
const ANSWER_FIELD = 'value';

/** A shorter value would occur in ordinary text, and redacting it would falsify evidence. */
const MIN_SECRET_LENGTH = 8;

export function createRedactor(secrets: readonly Secret[]): Redactor {
  for (const secret of secrets) assertUsable(secret);
  const text = createReplacer(secrets);
  return {
    text,
    json: (value) => redactOurs(value, text),
  };
}

/**
 * A string stays a string and our fields keep their names, so the type holds. A number becomes text only if the types have
 * both.
 */
function redactOurs<T>(value: T, text: (text: string) => string): T;
function redactOurs(value: unknown, text: (text: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => redactOurs(item, text));
  const fields = Object.entries(value).map(([field, item]) => [wellFormed(field), redactField(field, item, text)]);
  return Object.fromEntries(fields);
}

function redactField(field: string, item: unknown, text: (text: string) => string): unknown {
  const number = (value: number): unknown => redactNumber(value, text);
  if (FOREIGN_FIELDS.has(field)) return mapStrings(item, text, number);
  return field === ANSWER_FIELD && typeof item === 'number' ? number(item) : redactOurs(item, text);
}

/** A secret of digits can be a number in JSON. */
function redactNumber(number: number, text: (text: string) => string): number | string {
  const digits = String(number);
  const redacted = text(digits);
  return redacted === digits ? number : redacted;
}

/**
 * The secrets in an environment: variables named like one (`…_API_KEY`, `…_TOKEN`, `…_SECRET`, `…_PASSWORD`, `…_KEY`) with a
 * value that is long enough, and every `TOUCHSTONE_SECRET_…`, which has to be.
 * @param given variables that files of agents and tool servers call secrets
 */
export function secretsFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  given: readonly string[] = [],
): Secret[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    const declared = name.startsWith('TOUCHSTONE_SECRET_') && value !== '';
    const isNamedSo = given.includes(name) || /_(?:TOKEN|SECRET|PASSWORD|KEY)$/.test(name);
    const guessed = isNamedSo && value.length >= MIN_SECRET_LENGTH;
    return declared || guessed ? [{ name, value }] : [];
  });
}

/** One pass: at the same place the longest secret wins, and placeholders stay. */
function createReplacer(secrets: readonly Secret[]): (text: string) => string {
  if (secrets.length === 0) return wellFormed;
  const longestFirst = secrets.toSorted((a, b) => b.value.length - a.value.length);
  const names = longestFirst.map(({ name }) => name.replaceAll('.', '\\.')).join('|');
  const patterns = longestFirst.map(({ value }) => `(${secretPattern(value, names)})`);
  const anySecret = new RegExp([`\\[secret:(?:${names})\\]`, ...patterns].join('|'), 'g');
  const placeholder = (match: string, ...groups: unknown[]): string => {
    const secret = longestFirst.find((_, index) => groups[index] !== undefined);
    return secret === undefined ? match : `[secret:${secret.name}]`;
  };
  return (text) => wellFormed(text.replace(anySecret, placeholder));
}

function assertUsable({ name, value }: Secret): void {
  if (!/^[A-Za-z0-9_.-]+$/.test(name)) {
    throw new BundleError(fact('secret_bad_name', { name: JSON.stringify(name) }));
  }
  if (value.length < MIN_SECRET_LENGTH) {
    throw new BundleError(fact('secret_short', { name, least: MIN_SECRET_LENGTH }));
  }
}
