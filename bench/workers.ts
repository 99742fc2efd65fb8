/**
 * Time a scripted campaign with one worker and with several, in turn, and print the ratio of episodes an hour. Every run has to
 * come to the same outcome hash, or the bench fails.
 *
 *   npm run bench:workers [-- --workers 4] [--rounds 3] [--iterations 3] [--suite basics]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../src/plan/package-root.ts';

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    iterations: { type: 'string', default: '3' },
    suite: { type: 'string', default: 'basics' },
  },
});
const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-workers-'));
const rates = new Map<string, number[]>([
  ['1', []],
  [values.workers, []],
]);
const hashes = new Set<string>();
try {
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [workers, all] of rates) all.push(episodesAnHour(workers, path.join(folder, `${round}-${workers}`)));
  }
} finally {
  rmSync(folder, { recursive: true });
}
if (hashes.size !== 1) throw new Error(`the runs came to ${hashes.size} outcome hashes: ${[...hashes].join(', ')}`);
const alone = median(rates.get('1') ?? []);
for (const [workers, all] of rates) {
  const own = median(all);
  console.log(`${workers.padStart(4)} workers  ${own.toFixed(0).padStart(6)} episodes/h  ${(own / alone).toFixed(2)}×`);
}
const load = loadavg()[0] ?? Number.NaN;
console.log(`${availableParallelism()} cores, load ${load.toFixed(1)}, ${new Date().toISOString().slice(0, 10)}`);

/** Runs the campaign once, start of the program included. */
function episodesAnHour(workers: string, bundle: string): number {
  const begun = performance.now();
  const run = ['run', values.suite, '--agent', 'reference', '-n', values.iterations, '--seed', '1'];
  const line = ['--import', 'tsx', path.join(packageRoot(), 'src/cli/main.ts'), ...run, '--workers', workers];
  const { status, stderr } = spawnSync(process.execPath, [...line, '--out', bundle], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${workers} workers ended with ${status}: ${stderr}`);
  const hours = (performance.now() - begun) / 3_600_000;
  const { outcome_hash: hash, planned } = JSON.parse(readFileSync(path.join(bundle, 'report.json'), 'utf8'));
  hashes.add(String(hash));
  return Number(planned) / hours;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
