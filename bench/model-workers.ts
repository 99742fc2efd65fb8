/**
 * Measure what many workers gain where a model takes seconds to answer. A fake of a provider takes as long for each reply; the same
 * campaign runs with one worker and with many. Prints the ratio of episodes an hour, from the first start to the last end; where the
 * time of an episode goes with one worker; and the memory of a worker, its Chromium included.
 *
 *   npm run bench:model-workers [-- --workers 32 --answer-ms 3000 --iterations 16]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundleLayout } from '../src/bundle/layout.ts';
import type { Row } from '../src/bundle/row.ts';
import { readCountedRows } from '../src/bundle/sealed-rows.ts';
import { packageRoot } from '../src/plan/package-root.ts';
import { lastedMs } from '../src/qualify/make-trials.ts';
import { startFakeModels } from './mock-models/fake-models.ts';
import { scriptsIn } from './mock-models/scripts.ts';
import { memoryOfTree } from './process-tree.ts';

const MODEL = 'claude-sonnet-4-6';
const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '32' },
    'answer-ms': { type: 'string', default: '3000' },
    /** For the run with many workers; the run with one worker has a single iteration. */
    iterations: { type: 'string', default: '16' },
    suite: { type: 'string', default: 'basics' },
    task: { type: 'string' },
  },
});
const workers = Number(values.workers);
const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-models-'));
const tasks = values.task === undefined ? [] : ['--task', values.task];
await run('solutions', {}, ['--agent', 'reference']);
const fakes = await startFakeModels(await scriptsIn(path.join(folder, 'solutions')), {
  answerMs: Number(values['answer-ms']),
});
try {
  const alone = await run('one', fakes.variables, ['--agent', MODEL, '--workers', '1']);
  const many = await run('many', fakes.variables, [
    '--agent',
    MODEL,
    '--workers',
    values.workers,
    '-n',
    values.iterations,
  ]);
  const [one, all] = [rateOf(alone.rows), rateOf(many.rows)];
  console.log(`   1 worker   ${one.toFixed(0).padStart(6)} episodes/h  of ${alone.rows.length}`);
  console.log(
    `${String(workers).padStart(4)} workers  ${all.toFixed(0).padStart(6)} episodes/h  of ${many.rows.length}  ${(all / one).toFixed(1)}×`,
  );
  console.log(`an episode with one worker: ${shares(alone.rows)}`);
  console.log(
    `memory a worker: ${((many.peakMb - alone.peakMb) / (workers - 1)).toFixed(0)} MB; alone ${alone.peakMb.toFixed(0)} MB`,
  );
  console.log(`${availableParallelism()} cores, ${new Date().toISOString().slice(0, 10)}`);
} finally {
  await fakes.close();
  await rm(folder, { recursive: true });
}

/** Runs a campaign in a process of its own, and looks each second at its memory. */
async function run(name: string, variables: Readonly<Record<string, string>>, options: readonly string[]) {
  const bundle = path.join(folder, name);
  const main = path.join(packageRoot(), 'src/cli/main.ts');
  const line = ['--import', 'tsx', main, 'run', values.suite, ...tasks, '--seed', '1', ...options, '--out', bundle];
  const child = spawn(process.execPath, line, {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let peakMb = 0;
  const looks = setInterval(() => {
    peakMb = Math.max(peakMb, memoryOfTree(child.pid ?? 0));
  }, 1_000);
  await once(child, 'close');
  clearInterval(looks);
  // Fakes fail some tasks by policy, so that gates need not be met.
  if (child.exitCode === null || child.exitCode > 1) throw new Error(`the run ended with ${child.exitCode}`);
  return { rows: await readCountedRows(bundleLayout(bundle)), peakMb };
}

function rateOf(rows: readonly Row[]): number {
  const times = rows.flatMap(({ started_at: from, ended_at: to }) => (from === null || to === null ? [] : [from, to]));
  const sorted = times.map((at) => Date.parse(at)).toSorted((one, other) => one - other);
  return rows.length / (((sorted.at(-1) ?? 0) - (sorted[0] ?? 0)) / 3_600_000);
}

function shares(rows: readonly Row[]): string {
  const sum = (pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0);
  const all = sum(lastedMs);
  const [model, tools, settling] = [
    sum((row) => row.model_ms ?? 0),
    sum((row) => row.tool_ms ?? 0),
    sum((row) => row.settle_ms ?? 0),
  ];
  const share = (ms: number) => `${((ms / all) * 100).toFixed(1)} %`;
  const rest = all - model - tools - settling;
  return `model ${share(model)}, tools ${share(tools)}, settling ${share(settling)}, all else ${share(rest)}`;
}
