import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { type Parsed, parsePlainly, type Problem, problemText } from '../contract/validation/problem.ts';
import { fact } from '../messages/messages.ts';
import { BundleError } from './errors.ts';
import { firstProblem } from './first-problem.ts';
import { readPlainFile } from './plain-file.ts';

export interface JsonFileOptions {
  maxBytes: number;
}

/**
 * Reads one JSON file of an untrusted bundle.
 * @param what the expected content, for example "a row"
 * @throws BundleError naming the file.
 */
export async function readJsonFile<T extends z.ZodType>(
  path: string,
  schema: T,
  what: string,
  { maxBytes }: JsonFileOptions,
): Promise<z.output<T>> {
  return parseJson(readPlainFile(path, maxBytes), schema, what, path);
}

/**
 * Reads UTF-8 JSON of a shape; `name` is its source.
 * @throws BundleError naming it, and the field that is wrong or holds half of a character.
 */
export function parseJson<T extends z.ZodType>(bytes: Buffer, schema: T, what: string, name: string): z.output<T> {
  const text = textIn(bytes, name);
  const value = parse(text, name);
  refuseHalves(text, value, name);
  return checkSized(value, bytes.length, { schema, what, name });
}

/** Checks a value that was JSON of this length; if it is long, only the first problem is reported. @throws BundleError */
export function checkSized<T extends z.ZodType>(
  value: unknown,
  length: number,
  { schema, what, name }: { schema: T; what: string; name: string },
): z.output<T> {
  if (length > ALL_PROBLEMS_BELOW_BYTES) refuseFirst(value, schema, what, name);
  return checkJson(value, schema, what, name);
}

/** Above this, gathering every problem could take more memory than there is. */
const ALL_PROBLEMS_BELOW_BYTES = 256 * 1024;

/** JSON of a page or an app, which may hold half a character. @throws BundleError */
export function jsonIn(bytes: Buffer, name: string): unknown {
  return parse(textIn(bytes, name), name);
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BundleError(fact('not_json', { file: name }), error);
  }
}

/** @throws BundleError unless a value that was JSON has this shape. */
export function checkJson<T extends z.ZodType>(value: unknown, schema: T, what: string, name: string): z.output<T> {
  const parsed = unlessTooDeep(() => parsePlainly(schema, value));
  if (parsed.ok) return parsed.value;
  throw malformed(parsed.problems, what, name);
}

/** @throws BundleError with the first problem of a value, without looking for others. */
export function refuseFirst(value: unknown, schema: z.ZodType, what: string, name: string): void {
  const parsed = unlessTooDeep((): Parsed<null> => {
    const problem = firstProblem(schema, value);
    return problem === null ? { ok: true, value: null } : { ok: false, problems: [problem] };
  });
  if (!parsed.ok) throw malformed(parsed.problems, what, name);
}

/** Checking a value that is nested too deep overflows the stack. */
function unlessTooDeep<T>(check: () => Parsed<T>): Parsed<T> {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, problems: [{ path: [], what: fact('value_too_deep') }] };
  }
}

function malformed(problems: readonly Problem[], what: string, name: string): BundleError {
  const [first = ''] = problems.map(inWords);
  return new BundleError(fact('other_shape', { file: name, what, problem: first, more: problems.length - 1 }));
}

function inWords({ path, what }: Problem): string {
  return problemText({ path: path.length === 0 ? [] : [pathText(path)], what });
}

/** Quotes a name unless it is a plain word; this also escapes lone surrogates. */
function pathText(path: readonly PropertyKey[]): string {
  return path.map((part) => (/^[\w-]+$/.test(String(part)) ? String(part) : JSON.stringify(part))).join('.');
}

/** @throws BundleError unless the bytes are UTF-8. */
export function textIn(bytes: Buffer, name: string): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  // Other bytes would decode to the same text and differ only by their hash.
  throw new BundleError(fact('not_utf8', { file: name }));
}

/**
 * Refuses half of a character (a lone surrogate), which has no canonical JSON. No writer of ours leaves one.
 * @param text that the value was parsed from
 * @throws BundleError naming the field.
 */
export function refuseHalves(text: string, value: unknown, name: string): void {
  // UTF-8 cannot hold them, so they are escaped.
  if (!/\\u[dD][89a-fA-F]/.test(text)) return;
  const place = placeOfHalf(value);
  if (place !== null) throw new BundleError(fact('half_character', { file: name, place }));
}

const HALF = /\p{Surrogate}/u;

/**
 * The path of a string or name with half of a character; null if none has one. Without recursion: the value may be nested deep.
 */
function placeOfHalf(whole: unknown): string | null {
  const waiting: { value: unknown; place: readonly string[] }[] = [{ value: whole, place: [] }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, place } = next;
    if (typeof value === 'string' && HALF.test(value)) return pathText(place);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (HALF.test(key)) return pathText([...place, key]);
      if (typeof inner === 'string' || typeof inner === 'object')
        waiting.push({ value: inner, place: [...place, key] });
    }
  }
  return null;
}
