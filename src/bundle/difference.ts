import { canonicalJson } from '../contract/canonical.ts';
import { isRecord } from '../contract/validation/record.ts';

/** Most characters that are shown of a value, and those of them before the first that differs. */
const MAX_SHOWN = 48;
const SHOWN_BEFORE = 8;

interface Difference {
  /** Keys joined by dots; '' for the whole. */
  place: string;
  found: unknown;
  expected: unknown;
}

/** The first place where two JSON values differ; '' for the whole, null if they do not differ. */
export function placeOfDifference(found: unknown, expected: unknown): string | null {
  return firstDifference(found, expected, '')?.place ?? null;
}

/** Goes no deeper than the expected value, since the other may be nested without end. */
function firstDifference(found: unknown, expected: unknown, place: string): Difference | null {
  const [a, b] = [partsOf(found), partsOf(expected)];
  if (a === null || b === null || Array.isArray(found) !== Array.isArray(expected)) {
    return areEqual(found, expected) ? null : { place, found, expected };
  }
  for (const key of new Set([...b.keys(), ...a.keys()])) {
    const inner = place === '' ? key : `${place}.${key}`;
    if (!a.has(key) || !b.has(key)) return { place: inner, found: a.get(key), expected: b.get(key) };
    const deeper = firstDifference(a.get(key), b.get(key), inner);
    if (deeper !== null) return deeper;
  }
  return null;
}

/** A lone surrogate, or a value nested too deep, equals nothing. */
function areEqual(found: unknown, expected: unknown): boolean {
  try {
    return canonicalJson(found ?? null) === canonicalJson(expected ?? null);
  } catch {
    return false;
  }
}

export interface OtherField {
  field: string;
  /** The first difference, expected and found, both shortened; not yet printable. */
  words: string;
}

/** The fields of a record that are not as expected; an absent one is null. */
export function otherFields(found: object, expected: object): OtherField[] {
  const [is, should] = [
    new Map<string, unknown>(Object.entries(found)),
    new Map<string, unknown>(Object.entries(expected)),
  ];
  const others = [...new Set([...should.keys(), ...is.keys()])].filter(
    (field) => !areEqual(is.get(field), should.get(field)),
  );
  return others.map((field) => ({ field, words: differenceIn(is.get(field), should.get(field)) }));
}

function differenceIn(found: unknown, expected: unknown): string {
  const where = firstDifference(found, expected, '') ?? { place: '', found, expected };
  const [is, should] = [textOf(where.found), textOf(where.expected)];
  const from = commonStart(is, should);
  const place = where.place === '' ? '' : `at ${around(where.place, 0)} `;
  return `${place}expected ${around(should, from)}, found ${around(is, from)}`;
}

function partsOf(value: unknown): Map<string, unknown> | null {
  if (Array.isArray(value)) return new Map(value.map((each, at) => [String(at), each]));
  return isRecord(value) ? new Map(Object.entries(value)) : null;
}

function textOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  try {
    return JSON.stringify(value);
  } catch {
    return 'what cannot be written as JSON';
  }
}

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

/** Cuts a text to the part around `from`, its first character that differs. */
function around(text: string, from: number): string {
  const begin = text.length <= MAX_SHOWN ? 0 : Math.max(0, Math.min(from - SHOWN_BEFORE, text.length - MAX_SHOWN));
  const end = begin + MAX_SHOWN;
  return `${begin === 0 ? '' : '…'}${copyOf(text.slice(begin, end))}${end < text.length ? '…' : ''}`;
}

/** A slice would keep the whole text in memory. */
function copyOf(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}
