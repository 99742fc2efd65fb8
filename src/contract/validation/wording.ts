import { z } from 'zod';
import { didYouMean } from '../nearest-name.ts';
import { isRecord } from './record.ts';

const NOUNS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of fields',
  record: 'a map of fields',
};

/** Longest name, and most unknown fields, for which the field that was meant is looked for: a slip is neither longer nor more. */
const LONGEST_NAME = 60;
const MOST_SLIPS = 20;

/** Names under which authors write fields that the checked value has under others. */
export type WrittenNames = Readonly<Record<string, string>>;

/**
 * Put zod's finding into words for the author of the file: what is wrong and what to write instead.
 * @returns for several unknown fields a line for each, in their order
 */
export function plainMessage(issue: z.core.$ZodRawIssue, written: WrittenNames = {}): string {
  const wanted = wantedBy(issue);
  if (wanted !== null) {
    const given = givenTo(issue);
    if (given === undefined) return `${MISSING}${wanted}`;
    if (given === null) return `is empty; give ${wanted}`;
    return `must be ${wanted}, not ${shown(given)}${quotesRemedy(issue)}`;
  }
  if (issue.code === 'unrecognized_keys') {
    const allowed = allowedFields(issue.inst).map((field) => written[field] ?? field);
    const isSlip = (key: string): boolean => key.length <= LONGEST_NAME && issue.keys.length <= MOST_SLIPS;
    return issue.keys.map((key) => unknownField(allowed, isSlip(key) ? didYouMean(key, allowed) : '')).join('\n');
  }
  if (issue.code === 'too_small') {
    const word = issue.inclusive === false ? 'more than' : 'at least';
    return `must ${bound(issue.origin, word, issue.minimum)}, not ${size(issue)}`;
  }
  if (issue.code === 'too_big') {
    const word = issue.inclusive === false ? 'less than' : 'at most';
    return `must ${bound(issue.origin, word, issue.maximum)}, not ${size(issue)}`;
  }
  return `is ${shown(issue.input)}, which does not fit here; see the schema for what does`;
}

const MISSING = 'is missing; give ';

/** Whether a message of {@link plainMessage} says that a field is not there. */
export function saysMissing(message: string): boolean {
  return message.startsWith(MISSING);
}

/** Whether a message of {@link plainMessage} is about an unknown field that resembles none. */
export function saysUnlike(message: string): boolean {
  return message.startsWith('unknown field; allowed: ');
}

/** The message for an unknown field in the place of the only one that is missing there. */
export function insteadOf(field: string, message: string): string {
  return `unknown field; did you mean "${field}"? It ${message}`;
}

/** The field that a message of {@link plainMessage} takes an unknown one for; null where it takes it for none. */
export function meantBy(message: string): string | null {
  return /^unknown field; did you mean "(\w+)"\?/.exec(message)?.[1] ?? null;
}

/** The words for what would have fitted, or null when the issue is not about the kind of value. */
function wantedBy(issue: z.core.$ZodRawIssue): string | null {
  if (issue.code === 'invalid_type') return NOUNS[issue.expected] ?? `a value of type ${issue.expected}`;
  if (issue.code === 'invalid_value') return oneOf(issue.values);
  if (issue.code === 'invalid_union' && Array.isArray(issue.options)) return oneOf(issue.options);
  if (issue.code !== 'invalid_union' && issue.code !== 'custom') return null;
  return 'JSON (text, a number, true, false, null, a list or a map)';
}

/** The value at the issue's path; zod hands over the whole node when the field that tells nodes apart is wrong. */
function givenTo({ code, discriminator, input }: z.core.$ZodRawIssue): unknown {
  return code === 'invalid_union' && typeof discriminator === 'string' && isRecord(input)
    ? input[discriminator]
    : input;
}

function oneOf(values: readonly unknown[]): string {
  const words = values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value)));
  return words.length === 1 ? words.join('') : `one of ${words.join(', ')}`;
}

function bound(origin: string, word: string, limit: number | bigint): string {
  if (origin === 'string') return `have ${word} ${limit} characters`;
  if (origin === 'array') return `have ${word} ${limit} entries`;
  return `be ${word} ${limit}`;
}

function size({ input }: z.core.$ZodRawIssue): string {
  return typeof input === 'string' || Array.isArray(input) ? String(input.length) : shown(input);
}

/** A YAML author's usual slip: quotes too few or too many. */
function quotesRemedy({ code, expected, input }: z.core.$ZodRawIssue): string {
  if (code !== 'invalid_type') return '';
  if (expected === 'string' && (typeof input === 'number' || typeof input === 'boolean')) return '; put it in quotes';
  if (typeof input !== 'string') return '';
  const bare =
    expected === 'boolean' ? /^(true|false)$/ : expected === 'number' || expected === 'int' ? /^-?[\d.]+$/ : null;
  return bare?.test(input) === true ? '; write it without quotes' : '';
}

function unknownField(allowed: readonly string[], meant: string): string {
  return `unknown field${meant === '' ? `; allowed: ${allowed.join(', ')}` : meant}`;
}

function allowedFields(schema: unknown): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** A value as a message shows it: short, and never more than its type when it is not plain. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return 'empty';
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`;
}
