/**
 * Episodes through a real Redis with worker processes, while a script kills workers, the coordinator and Redis at points that a
 * seed draws; and the same campaign in one process, undisturbed. Each episode has to have exactly one counted row, the bundle has
 * to verify, and both have to come to the same outcome hash.
 *
 *   npm run bench:queue [-- --iterations 14] [--workers 2] [--every 50] [--seed 1] [--task <ids>] [--out <folder>]
 */
import { mkdtempSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { killsOf, problemsOf, reportOf, runDisturbed, startProgram, voidedIn } from './disturbed-queue.ts';

const { values } = parseArgs({
  options: {
    iterations: { type: 'string', default: '14' },
    workers: { type: 'string', default: '2' },
    every: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    task: { type: 'string' },
    out: { type: 'string' },
  },
});
const folder = values.out ?? mkdtempSync(path.join(tmpdir(), 'touchstone-queue-'));
const [quiet, disturbed] = [path.join(folder, 'quiet'), path.join(folder, 'disturbed')];
const [workers, seed] = [Number(values.workers), Number(values.seed)];
const fewer = values.task === undefined ? [] : ['--task', values.task];
const run = ['basics', 'protocols', '--agent', 'reference,null', '-n', values.iterations, '--seed', '1', ...fewer];

const quietMs = await timed(async () => {
  const words = ['run', ...run, '--workers', String(workers), '--out', quiet];
  expectDone('the quiet run', await startProgram(path.join(folder, 'quiet.log'), words).ended);
});
const { planned, outcomeHash } = reportOf(quiet);
const kills = killsOf(seed, { episodes: planned, every: Number(values.every), workers });
let killed = { worker: 0, coordinator: 0, redis: 0 };
const disturbedMs = await timed(async () => {
  const ended = await runDisturbed({ run, bundle: disturbed, folder, workers, kills, note });
  expectDone('the disturbed run', ended.exit);
  killed = ended.killed;
});
const problems = await problemsOf(disturbed, outcomeHash);
expectDone('verify', await startProgram(path.join(folder, 'verify.log'), ['verify', disturbed]).ended);
for (const problem of problems) console.error(problem);
const { worker, coordinator, redis } = killed;
console.log(
  `${planned} episodes, ${workers} workers; outcome hash ${outcomeHash} in both runs: ${problems.length === 0}`,
);
console.log(
  `killed: ${worker} workers, ${coordinator} coordinators, Redis ${redis} times; ${voidedIn(disturbed)} attempts void`,
);
console.log(`${perHour(quietMs)} episodes an hour in one process, ${perHour(disturbedMs)} through the disturbed queue`);
const load = loadavg()[0] ?? Number.NaN;
console.log(
  `${availableParallelism()} cores, load ${load.toFixed(1)}, ${new Date().toISOString().slice(0, 10)}; ${folder}`,
);
process.exitCode = problems.length === 0 ? 0 : 1;

function note(line: string): void {
  console.error(`${new Date().toISOString()} ${line}`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function perHour(ms: number): string {
  return (planned / (ms / 3_600_000)).toFixed(0);
}

function expectDone(what: string, exit: number | null): void {
  if (exit !== 0) throw new Error(`${what} ended with ${exit}; what it said is in ${folder}`);
}
