import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { openBlobs } from '../src/bundle/blobs.ts';
import { loadEvidence } from '../src/bundle/evidence-file.ts';
import { bundleLayout } from '../src/bundle/layout.ts';
import type { Row } from '../src/bundle/row.ts';
import { readCountedRows } from '../src/bundle/sealed-rows.ts';
import { main } from '../src/cli/program.ts';
import { wilsonInterval } from '../src/stats/proportion.ts';
import { loadSuite } from '../src/task/load-suite.ts';
import { KNOWN_ENDS } from './miniwob-ends.ts';

/**
 * Imports a checkout of MiniWoB++; starts every page with the agent `keyword` and two workers; then ends some of them rightly and
 * wrongly. Exits with 1 if a page does not start, or one of these ends is judged otherwise.
 *
 *   npm run bench:miniwob -- <checkout> [seeds]
 */
const [checkout = '', seeds = '3'] = process.argv.slice(2);
const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-miniwob-'));
const suite = path.join(folder, 'suite');
let isAsExpected = true;

async function touchstone(...args: string[]): Promise<void> {
  await main(args, { out: () => {}, note: () => {} });
}

const Reward = z.object({ reward: z.object({ raw: z.number() }).nullable() });

/** The raw reward that the page gave; null if it gave none. */
async function rawOf({ artifacts }: Row, bundle: string): Promise<number | null> {
  if (artifacts.evidence_end === undefined) return null;
  const { app_state: state } = await loadEvidence(openBlobs(bundleLayout(bundle).blobs), artifacts.evidence_end);
  return state.captured ? (Reward.parse(state.value.now).reward?.raw ?? null) : null;
}

const Dataset = z.object({
  pages: z.int(),
  tasks: z.int(),
  judged_by_document_too: z.int(),
  excluded: z.array(z.object({ id: z.string(), seed: z.int().nullable(), why: z.string() })),
});

try {
  await touchstone('import', 'miniwob', checkout, '--out', suite, '--seeds', seeds);
  const dataset = Dataset.parse(JSON.parse(await readFile(path.join(suite, 'dataset.json'), 'utf8')));
  console.log(
    `${dataset.pages} pages, ${dataset.tasks} tasks, ${dataset.judged_by_document_too} judged by the document too`,
  );
  for (const { id, seed, why } of dataset.excluded)
    console.log(`excluded ${id}${seed === null ? '' : `@${seed}`}: ${why}`);
  await startEveryPage(dataset.pages);
  await endKnownPages();
} finally {
  await rm(folder, { recursive: true });
}
process.exitCode = isAsExpected ? 0 : 1;

async function startEveryPage(pages: number): Promise<void> {
  const bundle = path.join(folder, 'keyword');
  const begun = performance.now();
  await touchstone('run', suite, '--agent', 'keyword', '--workers', '2', '--out', bundle);
  const hours = (performance.now() - begun) / 3_600_000;
  const rows = await readCountedRows(bundleLayout(bundle));
  const judged = rows.filter(({ status }) => status === 'passed' || status === 'failed');
  const started = new Set(judged.map((row) => row.task));
  const raws = await Promise.all(rows.map(async (row) => await rawOf(row, bundle)));
  const passed = rows.filter(({ status }) => status === 'passed').length;
  const load = loadavg()[0] ?? Number.NaN;
  console.log(
    `\n${started.size} of ${pages} pages were started and judged, ${judged.length} of ${rows.length} episodes`,
  );
  console.log(
    `${(rows.length / hours).toFixed(0)} episodes/h, ${availableParallelism()} cores, load ${load.toFixed(1)}`,
  );
  console.log(
    `keyword: raw > 0 ${raws.filter((raw) => (raw ?? 0) > 0).length}, passed here ${passed}, of ${rows.length}`,
  );
  isAsExpected &&= started.size === pages;
}

/** Each end is a task of its own, with the end as its solution. */
async function endKnownPages(): Promise<void> {
  const loaded = await loadSuite(suite);
  if (!loaded.ok) throw new Error('the imported suite is not valid');
  const suiteFile = await readFile(path.join(suite, 'suite.json'), 'utf8');
  const ends = path.join(folder, 'ends');
  await mkdir(path.join(ends, 'tasks'), { recursive: true });
  await writeFile(path.join(ends, 'suite.json'), suiteFile);
  for (const { page, name, steps } of KNOWN_ENDS) {
    const tasks = loaded.suite.tasks.flatMap(({ task: { instance, ...task } }) => {
      const end = task.id === page ? steps(task.goal) : null;
      return end === null
        ? []
        : [{ ...task, id: `${page}_${name}`, instances: [instance], solutions: [{ steps: end }] }];
    });
    if (tasks.length > 0) await writeFile(path.join(ends, 'tasks', `${page}_${name}.json`), JSON.stringify(tasks));
  }
  const bundle = path.join(folder, 'reference');
  await touchstone('run', ends, '--agent', 'reference', '--workers', '2', '--out', bundle);
  const tally = { right: { ends: 0, paid: 0, passed: 0 }, wrong: { ends: 0, paid: 0, passed: 0 } };
  console.log(`\n${'page and end'.padEnd(44)} seed    raw  raw > 0  here`);
  for (const row of await readCountedRows(bundleLayout(bundle))) {
    const isRight = row.task.endsWith('_right');
    const raw = await rawOf(row, bundle);
    const isJudgedRightly = row.status === (isRight ? 'passed' : 'failed');
    isAsExpected &&= isJudgedRightly;
    const isPaid = (raw ?? 0) > 0;
    const kind = tally[isRight ? 'right' : 'wrong'];
    kind.ends += 1;
    kind.paid += Number(isPaid);
    kind.passed += Number(row.status === 'passed');
    const shown = raw === null ? 'none' : raw.toFixed(2);
    console.log(
      `${row.task.padEnd(44)} ${row.instance.padStart(4)} ${shown.padStart(6)}  ${(isPaid ? 'passed' : 'failed').padEnd(8)} ${row.status}${isJudgedRightly ? '' : '  UNEXPECTED'}`,
    );
  }
  for (const [kind, { ends: count, paid, passed }] of Object.entries(tally)) {
    console.log(`${kind} ends: raw > 0 passes ${rate(paid, count)}, here ${rate(passed, count)}`);
  }
}

function rate(passed: number, ends: number): string {
  const { low, high } = wilsonInterval(passed, ends) ?? { low: 0, high: 1 };
  return `${passed} of ${ends} (95 % interval ${(100 * low).toFixed(0)}–${(100 * high).toFixed(0)} %)`;
}
