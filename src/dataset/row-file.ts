import { existsSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { type Parsed, parsePlainly, type Path } from '../contract/validation/problem.ts';
import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';
import { readSource } from '../task/source/read-source.ts';
import { type FileProblem, formatProblem, inFile, NOWHERE } from '../task/source/source.ts';
import { parseText } from '../task/source/text.ts';
import { DatasetError } from './dataset-error.ts';

const MAX_FILE_BYTES = 64 * 1_048_576;

/** Reads a JSON file that holds a list of rows. All malformed rows are reported, with their lines. */
export async function readRows<T extends z.ZodType>(
  file: string,
  schema: T,
): Promise<Parsed<z.output<T>[], FileProblem>> {
  const read = await readSource(file, MAX_FILE_BYTES);
  if (!read.ok) return read;
  if (!Array.isArray(read.value.value)) {
    return { ok: false, problems: [{ ...NOWHERE, file, path: [], what: fact('rows_not_a_list') }] };
  }
  const parsed = read.value.value.map((row: unknown, at) => parsePlainly(schema, row, [at]));
  const problems = parsed.flatMap((each) => (each.ok ? [] : each.problems));
  if (problems.length > 0) return { ok: false, problems: inFile(file, read.value, problems) };
  return { ok: true, value: parsed.flatMap((each) => (each.ok ? [each.value] : [])) };
}

/**
 * Reads the rows of a data set.
 * @param place a checkout, in which the rows are at `within`, or the file itself
 * @throws DatasetError that lists every malformed row
 */
export async function rowsAt<T extends z.ZodType>(
  place: string,
  dataset: string,
  within: string,
  schema: T,
): Promise<z.output<T>[]> {
  const file = place.endsWith('.json') ? place : path.join(place, within);
  if (!existsSync(file)) throw new DatasetError(fact('rows_not_found', { place, dataset, file: within }));
  const read = await readRows(file, schema);
  if (read.ok) return read.value;
  const rows = new Set(read.problems.map((problem) => problem.path[0]));
  throw new DatasetError(fact('rows_malformed', { count: rows.size, problems: read.problems.map(formatProblem) }));
}

/** A row of a file, or why it cannot be read. */
export type FileRow = { lineOf: (within: Path) => number | null } & ({ value: unknown } | { what: Fact });

/** Splits the text of a file into rows: a JSON list, or JSON Lines. */
export function rowsIn(text: string, isLines: boolean): FileRow[] {
  if (isLines) return text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [rowOfLine(line, at + 1)]));
  const parsed = parseText(text, 'json');
  if (!parsed.ok) return parsed.problems.map(({ what, line }) => ({ what, lineOf: () => line }));
  const { value, placeOf } = parsed.value;
  if (!Array.isArray(value)) return [{ what: fact('rows_not_a_list'), lineOf: () => 1 }];
  return value.map((row: unknown, at) => ({ value: row, lineOf: (within: Path) => placeOf([at, ...within]).line }));
}

function rowOfLine(text: string, line: number): FileRow {
  const lineOf = (): number => line;
  const [row] = rowsIn(`[${text}\n]`, false);
  return row === undefined ? { what: fact('rows_not_a_list'), lineOf } : { ...row, lineOf };
}
