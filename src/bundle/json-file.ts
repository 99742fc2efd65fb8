import type { z } from 'zod';
import { type Parsed, parsePlainly, type Problem } from '../contract/validation/problem.ts';
import { BundleError } from './errors.ts';
import { firstProblem } from './first-problem.ts';
import { refuseHalves, textIn } from './json-text.ts';
import { readPlainFile } from './plain-file.ts';

export interface JsonFileOptions {
  maxBytes: number;
}

/**
 * Reads one JSON file of a bundle that we may not trust; `what` says what it should be, for example "a row".
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
 * Reads bytes as UTF-8 JSON of a shape; `name` says where the bytes are from.
 * @throws BundleError `malformed` with that name, and the field that is wrong or holds half of a character in plain words.
 */
export function parseJson<T extends z.ZodType>(bytes: Buffer, schema: T, what: string, name: string): z.output<T> {
  const text = textIn(bytes, name);
  const value = parse(text, name);
  refuseHalves(text, value, name);
  return checkSized(value, bytes.length, { schema, what, name });
}

/**
 * Checks a value that was JSON of this length; if it is long, only the first problem is reported.
 * @throws BundleError `malformed` unless it is of the shape.
 */
export function checkSized<T extends z.ZodType>(
  value: unknown,
  length: number,
  { schema, what, name }: { schema: T; what: string; name: string },
): z.output<T> {
  if (length > ALL_PROBLEMS_BELOW_BYTES) refuseFirst(value, schema, what, name);
  return checkJson(value, schema, what, name);
}

const REMEDY = 'restore it; do not edit it by hand, and do not trust a bundle that came like this';

/** Above this, to gather every problem could take more memory than there is, and so the first has to do. */
const ALL_PROBLEMS_BELOW_BYTES = 256 * 1024;

/** JSON as a page or an app may have written it, half of a character included. @throws BundleError `malformed` unless the bytes are UTF-8 JSON. */
export function jsonIn(bytes: Buffer, name: string): unknown {
  return parse(textIn(bytes, name), name);
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BundleError('malformed', `${name} is not JSON`, REMEDY, error);
  }
}

/** @throws BundleError `malformed` unless a value that was JSON is of this shape. */
export function checkJson<T extends z.ZodType>(value: unknown, schema: T, what: string, name: string): z.output<T> {
  const parsed = unlessTooDeep(() => parsePlainly(schema, value));
  if (parsed.ok) return parsed.value;
  throw malformed(parsed.problems, what, name);
}

/** @throws BundleError `malformed` naming the first problem in a value, without looking for another. */
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
    return { ok: false, problems: [{ path: [], message: 'it is nested too deep' }] };
  }
}

function malformed(problems: readonly Problem[], what: string, name: string): BundleError {
  const [first, ...others] = problems.map(inWords);
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return new BundleError('malformed', `${name} is not ${what}: ${first}${more}`, REMEDY);
}

function inWords({ path, message }: Problem): string {
  const names = path.map((part) => (/^[\w-]+$/.test(String(part)) ? part : JSON.stringify(part)));
  return names.length === 0 ? message : `${names.join('.')} ${message}`;
}
