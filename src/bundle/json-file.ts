import type { z } from 'zod';
import { type Parsed, parsePlainly, type Problem } from '../contract/validation/problem.ts';
import { BundleError } from './errors.ts';
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
  return parseJson(await readPlainFile(path, maxBytes), schema, what, path);
}

/**
 * Reads bytes as UTF-8 JSON of a shape; `name` says where the bytes are from.
 * @throws BundleError `malformed` with that name, and the field that is wrong in plain words.
 */
export function parseJson<T extends z.ZodType>(bytes: Buffer, schema: T, what: string, name: string): z.output<T> {
  const remedy = 'restore it; do not edit it by hand, and do not trust a bundle that came like this';
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new BundleError('malformed', `${name} is not JSON`, remedy, { cause: error });
  }
  const parsed = checked(value, schema);
  if (parsed.ok) return parsed.value;
  const [first, ...others] = parsed.problems.map(inWords);
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new BundleError('malformed', `${name} is not ${what}: ${first}${more}`, remedy);
}

/** A value can be nested so deep that checking it overflows the stack, which is a fault of the value. */
function checked<T extends z.ZodType>(value: unknown, schema: T): Parsed<z.output<T>> {
  try {
    return parsePlainly(schema, value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, problems: [{ path: [], message: 'it is nested too deep' }] };
  }
}

function inWords({ path, message }: Problem): string {
  const names = path.map((part) => (/^[\w-]+$/.test(String(part)) ? part : JSON.stringify(part)));
  return names.length === 0 ? message : `${names.join('.')} ${message}`;
}
