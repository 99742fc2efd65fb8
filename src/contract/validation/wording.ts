import { z } from 'zod';
import { Fact } from '../../messages/message.ts';
import { fact, type MessageCode } from '../../messages/messages.ts';
import { nearestName } from '../nearest-name.ts';
import { isRecord } from './record.ts';
import { shortened } from '../../messages/printable.ts';

/** A slip is neither longer nor more frequent; only then is the intended field looked for. */
const LONGEST_NAME = 60;
const MAX_SLIPS = 20;

/** Names of fields in a file, by their names in the value. */
export type WrittenNames = Readonly<Record<string, string>>;

type Wanted = { type: string; choices: string };

/** States a problem in a schema, whose issues carry one text each; `parsePlainly` reads it back. */
export function rule<C extends MessageCode>(...given: Parameters<typeof fact<C>>): string {
  return JSON.stringify(fact(...given));
}

export function addProblem(problem: Fact | null, context: z.RefinementCtx, path: (string | number)[] = []): void {
  if (problem !== null) context.addIssue({ code: 'custom', path, message: JSON.stringify(problem) });
}

export function statedIn(text: string): Fact {
  return text.startsWith('{"code":') ? Fact.parse(JSON.parse(text)) : fact('as_written', { text });
}

/** `key`: the name of an unknown field. */
export interface FoundProblem {
  fact: Fact;
  key: string | null;
}

/** One problem for an issue, or one for each unknown field. */
export function problemsIn(issue: z.core.$ZodRawIssue, written: WrittenNames = {}): FoundProblem[] {
  if (issue.code === 'unrecognized_keys') return unknownFields(issue, written);
  return [{ fact: problemIn(issue), key: null }];
}

function problemIn(issue: z.core.$ZodRawIssue): FoundProblem['fact'] {
  const wanted = wantedBy(issue);
  if (wanted !== null) {
    const given = givenTo(issue);
    if (given === undefined) return fact('field_missing', wanted);
    if (given === null) return fact('field_empty', wanted);
    return fact('wrong_type', { ...wanted, given: shown(given), quotes: quotesFor(issue) });
  }
  if (issue.code === 'too_small') {
    const exclusive = issue.inclusive === false;
    return fact('too_small', { origin: issue.origin, exclusive, limit: String(issue.minimum), size: size(issue) });
  }
  if (issue.code === 'too_big') {
    const exclusive = issue.inclusive === false;
    return fact('too_big', { origin: issue.origin, exclusive, limit: String(issue.maximum), size: size(issue) });
  }
  return fact('does_not_fit', { given: shown(issue.input) });
}

function unknownFields(
  issue: z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys>,
  written: WrittenNames,
): FoundProblem[] {
  const allowed = allowedFields(issue.inst).map((field) => written[field] ?? field);
  const owners = ownersOf(issue.inst);
  const isSlip = (key: string): boolean => key.length <= LONGEST_NAME && issue.keys.length <= MAX_SLIPS;
  return issue.keys.map((key) => {
    const others = (OTHER_NAMES.get(key) ?? []).filter((name) => allowed.includes(name));
    if (others.length > 0) return { key, fact: fact('field_by_other_name', { others, count: others.length }) };
    const meant = isSlip(key) ? nearestName(key, allowed) : null;
    if (meant !== null) return { key, fact: fact('misspelt_field', { meant }) };
    const owner = owners.get(key);
    const isUnder = owner !== undefined && written[owner] === undefined;
    return { key, fact: isUnder ? fact('misplaced_field', { owner, key }) : fact('unknown_field', { allowed }) };
  });
}

const ANSWER_TYPES = ['one_of', 'number', 'money', 'date', 'time', 'boolean', 'list', 'set', 'object', 'rows'];

/** Fields, by names that the same thing has elsewhere. */
const OTHER_NAMES = new Map<string, readonly string[]>([
  ['equals', ANSWER_TYPES],
  ['value', ['equals', ...ANSWER_TYPES]],
  ['text', ['contains', 'equals', 'one_of']],
  ['url', ['startUrl']],
  ['steps', ['solutions']],
]);

/** The fields of the objects in a schema, each with the field under which it belongs. */
function ownersOf(schema: unknown): Map<string, string> {
  const fields = schema instanceof z.ZodObject ? Object.entries(schema.shape).toReversed() : [];
  const pairs = fields.flatMap(([owner, field]) =>
    objectsIn(field).flatMap(({ shape }) => Object.keys(shape).map((key): [string, string] => [key, owner])),
  );
  return new Map(pairs);
}

function objectsIn(schema: unknown): z.ZodObject[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return objectsIn(schema.unwrap());
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(objectsIn);
  return schema instanceof z.ZodObject ? [schema] : [];
}

/** The type that would have fitted; null if the issue is not about a type. */
function wantedBy(issue: z.core.$ZodRawIssue): Wanted | null {
  if (issue.code === 'invalid_type') return { type: issue.expected, choices: '' };
  if (issue.code === 'invalid_value') return choicesOf(issue.values);
  if (issue.code === 'invalid_union' && Array.isArray(issue.options)) return choicesOf(issue.options);
  return issue.code === 'invalid_union' || issue.code === 'custom' ? { type: 'json', choices: '' } : null;
}

function choicesOf(values: readonly unknown[]): Wanted {
  const words = values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value)));
  return { type: words.length === 1 ? 'choice' : 'choices', choices: words.join(', ') };
}

/** The value at the issue's path; zod passes the whole node when its discriminator is wrong. */
function givenTo({ code, discriminator, input }: z.core.$ZodRawIssue): unknown {
  return code === 'invalid_union' && typeof discriminator === 'string' && isRecord(input)
    ? input[discriminator]
    : input;
}

function size({ input }: z.core.$ZodRawIssue): string {
  return typeof input === 'string' || Array.isArray(input) ? String(input.length) : shown(input);
}

/** A YAML author's usual slip: quotes too few or too many. */
function quotesFor({ code, expected, input }: z.core.$ZodRawIssue): 'add' | 'remove' | 'fine' {
  if (code !== 'invalid_type') return 'fine';
  if (expected === 'string') return typeof input === 'number' || typeof input === 'boolean' ? 'add' : 'fine';
  const bare =
    expected === 'boolean' ? /^(true|false)$/ : expected === 'number' || expected === 'int' ? /^-?[\d.]+$/ : null;
  return typeof input === 'string' && bare?.test(input) === true ? 'remove' : 'fine';
}

function allowedFields(schema: unknown): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** A value in a message: short, and only its type unless it is plain. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return 'empty';
  if (typeof value === 'string') return JSON.stringify(shortened(value, 60));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`;
}

export function eachNamedOnce<T>(nameOf: (entry: T) => string, field: string, problem: Fact) {
  return (entries: readonly T[], context: z.RefinementCtx): void => {
    const names = new Set<string>();
    for (const [index, entry] of entries.entries()) {
      if (names.has(nameOf(entry))) addProblem(problem, context, [index, field]);
      names.add(nameOf(entry));
    }
  };
}
