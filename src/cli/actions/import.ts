import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { countsOf, type ExcludedRow, importCheckout } from '../../dataset/import-checkout.ts';
import { IMPORTERS } from '../../dataset/importers.ts';
import type { ListedTask } from '../../dataset/importer.ts';
import { readOverlay } from '../../dataset/overlay.ts';
import { MINIWOB } from '../../dataset/miniwob/pages.ts';
import { WEBARENA_INFINITY } from '../../dataset/webarena-infinity/importer.ts';
import { WEBGAMES } from '../../dataset/webgames/importer.ts';
import { evalTask, EVALS, EVALS_ORIGIN, WEBMCP_EVALS } from '../../dataset/webmcp-evals.ts';
import { fact, messageFor } from '../../messages/messages.ts';
import { hashTree } from '../../plan/pins.ts';
import { counted } from '../../report/numbers.ts';
import { makeNewFolder } from '../../run/new-folder.ts';
import { formatProblem } from '../../task/source/source.ts';
import { PACKAGE_APPS } from '../../task/suite-paths.ts';
import type { Request } from '../command.ts';
import type { ImportOptions } from '../commands/write.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { printResult, type Terminal } from '../terminal.ts';
import { writeInfinity } from './import-infinity.ts';
import { writeOverlay } from './import-overlay.ts';
import { writeWebgames } from './import-webgames.ts';

/** Writes the list of a data set: `tasks.jsonl`, and `dataset.json` with where it is from. */
export async function importDataset(
  { args: [name = '', checkout = ''], options: { out, seeds, overlay, json } }: Request<ImportOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  if (name === MINIWOB.name) {
    if (overlay !== undefined) throw new UsageError(fact('overlay_of_suite', { name }));
    const { importMiniwob } = await import('./import-miniwob.ts');
    return await importMiniwob({ checkout, out, seeds, json }, terminal);
  }
  const importer = IMPORTERS.find((each) => each.name === name);
  if (importer === undefined) {
    throw new UsageError(fact('unknown_dataset', { name, known: [...IMPORTERS, MINIWOB].map((each) => each.name) }));
  }
  const { tasks: listed, excluded, files, commit } = await importCheckout(importer, checkout);
  const overlaid = overlay === undefined ? null : { file: overlay, ...(await readOverlay(overlay, name, listed)) };
  await makeNewFolder(out);
  const drafted = importer === WEBARENA_INFINITY ? await writeInfinity({ checkout, out, listed }, terminal) : listed;
  const tasks = drafted.map((task): ListedTask =>
    overlaid?.rows.includes(task.id) === true ? { ...task, standing: 'draft' } : task,
  );
  if (importer === WEBGAMES) await writeWebgames({ checkout, out, seeds, listed });
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
  await writeFile(path.join(out, 'tasks.jsonl'), list);
  await writeFile(path.join(out, 'dataset.json'), `${JSON.stringify(dataset, null, 2)}\n`);
  if (importer === WEBMCP_EVALS) await writeEvals(out, checkout, tasks);
  const suite = overlaid === null ? null : path.join(out, overlaid.suite.id);
  if (overlaid !== null && suite !== null) await writeOverlay(overlaid.file, overlaid, suite);
  printResult(terminal, json, dataset, () => [
    ...excluded.map((row) => `excluded ${lineOf(row)}`),
    ...tasks.flatMap(({ id, why }) => (why === undefined ? [] : [`${id}: ${messageFor(why)}`])),
    ...Object.entries(dataset.counts).map(([standing, count]) => `${String(count).padStart(6)}  ${standing}`),
    ...(overlaid === null ? [] : [`${counted(overlaid.tasks.length, 'task')} of ${overlaid.file}: ${suite}`]),
    `${counted(tasks.length, 'task')} of ${name}, ${counted(excluded.length, 'problem')}: ${path.join(out, 'dataset.json')}`,
  ]);
  return excluded.length === 0 ? EXIT.done : EXIT.gateNotMet;
}

function lineOf({ file, line, path: at, what }: ExcludedRow): string {
  return formatProblem({ file, line, column: null, path: at, what });
}

/** Writes a suite of the evals with a contract whose tools the checkout describes, and copies these. */
async function writeEvals(out: string, checkout: string, listed: readonly ListedTask[]): Promise<void> {
  const tasks: object[] = [];
  for (const { success, ...task } of listed) {
    const { pathname } = new URL(task.start_urls[0] ?? EVALS_ORIGIN);
    const schema = path.join(checkout, EVALS, pathname, 'schema.json');
    if (success === undefined || !existsSync(schema)) continue;
    tasks.push({ ...evalTask(task), success });
    await cp(schema, path.join(out, 'tools', `${pathname}.json`));
  }
  if (tasks.length === 0) return;
  const app = path.relative(path.resolve(out), path.join(PACKAGE_APPS, 'webmcp-evals/app.ts'));
  const data = { folder: 'tools', sha256: await hashTree({ places: [path.join(out, 'tools')] }) };
  const site = { origin: EVALS_ORIGIN, app: app.split(path.sep).join('/'), data, webmcp: true };
  const world = { kind: 'local', sites: [site] };
  const suite = { id: 'webmcp-evals', title: 'WebMCP evals', tasks: ['tasks.json'], world };
  await writeFile(path.join(out, 'tasks.json'), JSON.stringify(tasks, null, 1));
  await writeFile(path.join(out, 'suite.json'), JSON.stringify(suite, null, 1));
}
