import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { countsOf, type ExcludedRow, importCheckout } from '../../dataset/import-checkout.ts';
import { IMPORTERS } from '../../dataset/importers.ts';
import { MINIWOB } from '../../dataset/miniwob/pages.ts';
import { fact } from '../../messages/messages.ts';
import { counted } from '../../report/numbers.ts';
import { makeNewFolder } from '../../run/new-folder.ts';
import { formatProblem } from '../../task/source/source.ts';
import type { Request } from '../command.ts';
import type { ImportOptions } from '../commands/write.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { printResult, type Terminal } from '../terminal.ts';

/** Writes the list of a data set: `tasks.jsonl`, and `dataset.json` with where it is from. */
export async function importDataset(
  { args: [name = '', checkout = ''], options: { out, seeds, json } }: Request<ImportOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  if (name === MINIWOB.name) {
    const { importMiniwob } = await import('./import-miniwob.ts');
    return await importMiniwob({ checkout, out, seeds, json }, terminal);
  }
  const importer = IMPORTERS.find((each) => each.name === name);
  if (importer === undefined) {
    throw new UsageError(fact('unknown_dataset', { name, known: [...IMPORTERS, MINIWOB].map((each) => each.name) }));
  }
  const { tasks, excluded, files, commit } = await importCheckout(importer, checkout);
  const list = tasks.map((task) => `${JSON.stringify(task)}\n`).join('');
  const dataset = {
    schema_version: 1,
    dataset: name,
    importer_version: importer.version,
    upstream: importer.repository,
    commit,
    licence: importer.licence,
    files,
    tasks: { file: 'tasks.jsonl', sha256: createHash('sha256').update(list).digest('hex'), count: tasks.length },
    counts: countsOf(tasks),
    excluded: excluded.map((row) => ({ file: row.file, line: row.line, why: lineOf(row) })),
  };
  await makeNewFolder(out);
  await writeFile(path.join(out, 'tasks.jsonl'), list);
  await writeFile(path.join(out, 'dataset.json'), `${JSON.stringify(dataset, null, 2)}\n`);
  printResult(terminal, json, dataset, () => [
    ...excluded.map((row) => `excluded ${lineOf(row)}`),
    ...Object.entries(dataset.counts).map(([standing, count]) => `${String(count).padStart(6)}  ${standing}`),
    `${counted(tasks.length, 'task')} of ${name}, ${counted(excluded.length, 'problem')}: ${path.join(out, 'dataset.json')}`,
  ]);
  return excluded.length === 0 ? EXIT.done : EXIT.gateNotMet;
}

function lineOf({ file, line, path: at, what }: ExcludedRow): string {
  return formatProblem({ file, line, column: null, path: at, what });
}
