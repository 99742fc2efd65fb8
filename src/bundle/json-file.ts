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
 * Reads one JSON file of an untrusted bundle; `what` names its expected content, for example "a row".
 * @throws BundleError naming the file, when it is missing, no plain file, too large, not JSON, or of another shape.
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
 * Reads bytes as UTF-8 JSON of a shape; `name` is their source.
 * @throws BundleError with that name, and the field that is wrong or holds half of a character in plain words.
 */
export function parseJson<T extends z.ZodType>(bytes: Buffer, schema: T, what: string, name: string): z.output<T> {
  const text = textIn(bytes, name);
  const value = parse(text, name);
  refuseHalves(text, value, name);
  return checkSized(value, bytes.length, { schema, what, name });
}

/**
 * Checks a value that was JSON of this length; if it is long, only the first problem is reported.
 * @throws BundleError unless it is of the shape.
 */
export function checkSized<T extends z.ZodType>(
  value: unknown,
  length: number,
  { schema, what, name }: { schema: T; what: string; name: string },
): z.output<T> {
  if (length > ALL_PROBLEMS_BELOW_BYTES) refuseFirst(value, schema, what, name);
  return checkJson(value, schema, what, name);
}

/** Above this, to gather every problem could take more memory than there is, and so the first has to do. */
const ALL_PROBLEMS_BELOW_BYTES = 256 * 1024;

/** JSON as a page or an app may have written it, half of a character included. @throws BundleError unless the bytes are UTF-8 JSON. */
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

/** @throws BundleError unless a value that was JSON is of this shape. */
export function checkJson<T extends z.ZodType>(value: unknown, schema: T, what: string, name: string): z.output<T> {
  const parsed = unlessTooDeep(() => parsePlainly(schema, value));
  if (parsed.ok) return parsed.value;
  throw malformed(parsed.problems, what, name);
}

/** @throws BundleError naming the first problem in a value, without looking for another. */
export function refuseFirst(value: unknown, schema: z.ZodType, what: string, name: string): void {
  const parsed = unlessTooDeep((): Parsed<null> => {
    const problem = firstProblem(schema, value);
    return problem === null ? { ok: true, value: null } : { ok: false, problems: [problem] };
  });
  if (!parsed.ok) throw malformed(parsed.problems, what, name);
}

/** A value can be nested so deep that checking it overflows the stack, which is a fault of the value. */
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

/** Quotes a name that is not a plain word; this also escapes lone surrogates. */
function pathText(path: readonly PropertyKey[]): string {
  return path.map((part) => (/^[\w-]+$/.test(String(part)) ? String(part) : JSON.stringify(part))).join('.');
}

/** Decodes untrusted bytes. @throws BundleError unless they are UTF-8; `name` is their source. */
export function textIn(bytes: Buffer, name: string): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  // Other bytes would decode to the same text and differ only by their hash.
  throw new BundleError(fact('not_utf8', { file: name }));
}

/**
 * Refuse half of a character (a lone surrogate): canonical JSON, by which values are hashed and compared, has to be text. No writer of
 * ours leaves one.
 * @param text that the value was parsed from
 * @throws BundleError naming the field that holds one.
 */
export function refuseHalves(text: string, value: unknown, name: string): void {
  // UTF-8 cannot hold them, so they are escaped, and little else is.
  if (!/\\u[dD][89a-fA-F]/.test(text)) return;
  const place = placeOfHalf(value);
  if (place !== null) throw new BundleError(fact('half_character', { file: name, place }));
}

const HALF = /\p{Surrogate}/u;

/** The path of a string or name that holds half of a character; null when none does. It does not recurse: the value may be nested deep. */
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
