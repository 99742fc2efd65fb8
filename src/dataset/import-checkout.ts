import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { glob } from 'tinyglobby';
import type { Parsed, Problem } from '../contract/validation/problem.ts';
import { fact } from '../messages/messages.ts';
import { DatasetError } from './dataset-error.ts';
import type { Importer, ListedTask, TaskStanding } from './importer.ts';
import { type FileRow, rowsIn } from './row-file.ts';

/** A row that is not in the list, and why. */
export interface ExcludedRow extends Pick<Problem, 'path' | 'what'> {
  file: string;
  line: number | null;
}

/** The list of tasks in a checkout, and where each of them is from. */
export interface Imported {
  files: { file: string; sha256: string; rows: number }[];
  commit: string | null;
  tasks: ListedTask[];
  excluded: ExcludedRow[];
}

/** Lists the tasks of a checkout. Each row is listed or excluded with a reason. @throws DatasetError without its files */
export async function importCheckout(importer: Importer, checkout: string): Promise<Imported> {
  const names = await glob([...importer.files], { cwd: checkout });
  if (names.length === 0) {
    const [file = ''] = importer.files;
    throw new DatasetError(fact('rows_not_found', { place: checkout, dataset: importer.name, file }));
  }
  const imported: Imported = { files: [], commit: await commitOf(checkout), tasks: [], excluded: [] };
  const ids = new Set<string>();
  for (const file of names.toSorted()) {
    const bytes = await readFile(path.join(checkout, file));
    const rows = rowsIn(bytes.toString('utf8'), path.extname(file) === '.jsonl');
    imported.files.push({ file, sha256: createHash('sha256').update(bytes).digest('hex'), rows: rows.length });
    for (const row of rows) {
      const read = readRow(importer, row, file);
      const isTaken = read.ok && ids.has(read.value.id);
      const problems = isTaken ? [{ path: ['id'], what: fact('name_taken') }] : read.ok ? [] : read.problems;
      imported.excluded.push(...problems.map(({ path: at, what }) => ({ file, line: row.lineOf(at), path: at, what })));
      if (!read.ok || isTaken) continue;
      ids.add(read.value.id);
      imported.tasks.push(read.value);
    }
  }
  return imported;
}

function readRow(importer: Importer, row: FileRow, file: string): Parsed<ListedTask> {
  return 'value' in row ? importer.listed(row.value, file) : { ok: false, problems: [{ path: [], what: row.what }] };
}

/** The commit of a checkout, read from its files; null if it is not a clone. */
export async function commitOf(checkout: string): Promise<string | null> {
  const git = path.join(checkout, '.git');
  const head = await textOf(path.join(git, 'HEAD'));
  const branch = /^ref: (.+)$/.exec(head)?.[1];
  if (branch === undefined) return /^[0-9a-f]{40}$/.test(head) ? head : null;
  const loose = await textOf(path.join(git, branch));
  const packed = (await textOf(path.join(git, 'packed-refs'))).split('\n').find((line) => line.endsWith(` ${branch}`));
  return loose === '' ? (packed?.slice(0, 40) ?? null) : loose;
}

async function textOf(file: string): Promise<string> {
  return existsSync(file) ? (await readFile(file, 'utf8')).trim() : '';
}

/** Counts tasks by standing, in the order of the list. */
export function countsOf(tasks: readonly ListedTask[]): Partial<Record<TaskStanding, number>> {
  const counts: Partial<Record<TaskStanding, number>> = {};
  for (const { standing } of tasks) counts[standing] = (counts[standing] ?? 0) + 1;
  return counts;
}
