import { type Json, type JsonObject, parsedOr } from '../../contract/json.ts';
import { canPair, MAX_ENTRIES } from '../../contract/answer/pieces.ts';
import { isRecord } from '../../contract/validation/record.ts';
import { readAddress } from './address.ts';
import { dayIn, distanceIn, durationIn, monthIn, numberIn, priceIn } from './amounts.ts';
import { isPattern, matchesWhole } from './expected-pattern.ts';
import { looseText, likeness, withoutPunctuation } from './loose-text.ts';
import type { ValueSchema } from './rows.ts';

/** An expected value that the judge cannot read; nothing can pass or fail it. */
export class UnreadableExpectation extends Error {}

type IsSame = (expected: Json, given: Json) => boolean;

/** Makes a kind of value from a reader and a comparison of what it read. */
function kind<T>(read: (value: Json) => T | null, isSame: (expected: T, given: T) => boolean): IsSame {
  return (expected, given) => {
    const wanted = read(expected);
    if (wanted === null) throw new UnreadableExpectation(`cannot read ${JSON.stringify(expected)}`);
    const found = read(given);
    return found !== null && isSame(wanted, found);
  };
}

const ofText =
  <T>(read: (text: string) => T | null) =>
  (value: Json): T | null =>
    typeof value === 'string' || typeof value === 'number' ? read(foldedEdges(String(value))) : null;

function foldedEdges(text: string): string {
  return withoutPunctuation(text.trim()).trim();
}

const isEqual = <T>(expected: T, given: T): boolean => expected === given;

/** Whether two amounts differ by at most `least`, or by a share of the larger one. */
const within =
  (least: number, share: number) =>
  (expected: number, given: number): boolean =>
    Math.abs(expected - given) <= Math.max(least, share * Math.max(expected, given)) + 1e-9;

/** The kinds of value, by the `format` or else the `type` of a schema. The tolerances are those of WebArena-Verified. */
const KINDS: Readonly<Record<string, IsSame>> = {
  string: isSameText,
  number: kind(ofText(numberIn), isEqual),
  integer: kind(ofText(numberIn), isEqual),
  boolean: kind(booleanIn, isEqual),
  currency: kind((value) => (typeof value === 'number' ? value : ofText(priceIn)(value)), within(0.1, 0)),
  date: kind(ofText(dayIn), isEqual),
  month: kind(ofText(monthIn), isEqual),
  duration: kind(ofText(durationIn), within(180, 0.1)),
  distance: kind(ofText(distanceIn), within(10, 0.02)),
  'location-name': kind(ofText(looseText), (expected, given) => likeness(expected, given) >= 80),
  coordinates: kind(pointIn, (expected, given) =>
    expected.every((each, at) => within(1e-5, 0)(each, given[at] ?? NaN)),
  ),
  url: kind(
    ofText((text) => readAddress(text)?.base.toLowerCase() ?? null),
    isEqual,
  ),
  string_list: kind(
    ofText((text) =>
      looseText(text)
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean)
        .toSorted()
        .join(),
    ),
    isEqual,
  ),
  markdown: kind(ofText(plainMarkdown), isEqual),
  json: kind(ofText(sortedJson), isEqual),
};

/** A text is the same apart from case, accents, hyphens and punctuation at its ends, or matches the expected pattern. */
function isSameText(expected: Json, given: Json): boolean {
  if (typeof given === 'object' || typeof expected === 'object') return false;
  const [wanted, found] = [String(expected), String(given)];
  const folded = looseText(found);
  if (isPattern(wanted)) return wanted === found || matchesWhole(wanted, folded);
  const plain = looseText(wanted);
  return plain === folded || withoutPunctuation(plain) === withoutPunctuation(folded);
}

function booleanIn(value: Json): boolean | null {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'object' ? '' : String(value).trim().toLowerCase();
  if (/^(?:true|yes|y|1|t|on)$/.test(text)) return true;
  return /^(?:false|no|n|0|f|off)$/.test(text) ? false : null;
}

function pointIn(value: Json): [number, number] | null {
  if (typeof value === 'string') return pointOf(value.split(',').map((each) => each.trim()));
  if (Array.isArray(value)) return pointOf(value);
  if (!isRecord(value)) return null;
  const { latitude, lat, longitude, lon, lng } = value;
  return pointOf([latitude ?? lat, longitude ?? lon ?? lng]);
}

function pointOf(parts: readonly unknown[]): [number, number] | null {
  const [latitude = NaN, longitude = NaN, ...more] = parts.map((part) => Number(part === '' ? NaN : part));
  return more.length > 0 || Number.isNaN(latitude + longitude) || Math.abs(latitude) > 90
    ? null
    : [latitude, longitude];
}

/** Markdown in which bullets, line ends, blank lines and spaces have one form each. */
function plainMarkdown(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n');
  const plain = lines.map((line) =>
    line
      .trimEnd()
      .replace(/^(\s*)[*+]\s+/, '$1- ')
      .replace(/^\s+-/, '  -')
      .replace(/^(\s*#{1,6})\s+/, '$1 '),
  );
  return plain
    .join('\n')
    .replaceAll(/\[([^\]]+)\]/g, (_, label: string) => `[${label.split(/\s+/).filter(Boolean).join(' ')}]`)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function sortedJson(text: string): string | null {
  try {
    return canonical(JSON.parse(text));
  } catch {
    return null;
  }
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  return `{${Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
    .join()}}`;
}

/**
 * Whether a value is the expected one. An expected list in place of a single value holds alternatives; a given one passes only
 * if each of its entries does, so that several guesses never pass.
 * @throws UnreadableExpectation
 */
export function isValue(schema: ValueSchema, expected: Json, given: Json | undefined): boolean {
  if (expected === null) return given === null || given === undefined;
  if (given === null || given === undefined) return false;
  if (schema.type === 'array') return isList(schema.items ?? {}, listed(expected), listed(given), false);
  if (schema.type === 'object') return isObject(schema, expected, given);
  const name = schema.format ?? schema.type ?? 'string';
  const isSame = KINDS[name];
  if (isSame === undefined) throw new UnreadableExpectation(`unknown type ${name}`);
  if (!Array.isArray(expected) || (name === 'coordinates' && pointIn(expected) !== null))
    return isSame(expected, given);
  const candidates = listed(given);
  return candidates.length > 0 && candidates.every((each) => expected.some((one) => isSame(one, each)));
}

function listed(value: Json): Json[] {
  return Array.isArray(value) ? value : [value];
}

/** Whether each expected entry has a given one of its own, and none is left; in the same order if `ordered`. */
export function isList(
  items: ValueSchema,
  expected: readonly Json[],
  given: readonly Json[],
  ordered: boolean,
): boolean {
  if (expected.length !== given.length || given.length > MAX_ENTRIES) return false;
  const fits = (one: number, other: number): boolean => isValue(items, expected[one] ?? null, given[other]);
  return ordered ? expected.every((_, at) => fits(at, at)) : canPair(expected.length, given.length, fits);
}

function isObject({ properties = {} }: ValueSchema, expected: Json, given: Json): boolean {
  if (!isRecord(expected)) throw new UnreadableExpectation(`not a map: ${JSON.stringify(expected)}`);
  const found = typeof given === 'string' ? mapIn(given) : given;
  if (!isRecord(found)) return false;
  const fields: [string, Json][] = Object.entries(expected);
  const names = Object.keys(found);
  return (
    names.length === fields.length &&
    fields.every(([name, value]) => name in found && isValue(properties[name] ?? {}, value, found[name]))
  );
}

function mapIn(text: string): JsonObject | null {
  const value = parsedOr(text, null);
  return isJsonMap(value) ? value : null;
}

function isJsonMap(value: unknown): value is JsonObject {
  return isRecord(value);
}
