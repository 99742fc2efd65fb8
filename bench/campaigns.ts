/**
 * Time a scripted campaign with one value of an option and with another, in turn, and print the ratio of episodes an hour. Every
 * run has to come to the same outcome hash, or the bench fails.
 *
 *   npm run bench:workers [-- --rounds 3 --iterations 3 --suite basics]     # 1 worker against 4
 *   npm run bench:browser [-- --rounds 3 --iterations 3 --suite basics]     # the full Chromium against the headless shell
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../src/stats/resampling.ts';
import { measured } from './measured-process.ts';

const { values } = parseArgs({
  options: {
    option: { type: 'string', default: 'workers' },
    values: { type: 'string', default: '1,4' },
    rounds: { type: 'string', default: '3' },
    iterations: { type: 'string', default: '3' },
    suite: { type: 'string', default: 'basics' },
  },
});
const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-campaigns-'));
const rates = new Map<string, number[]>(values.values.split(',').map((value) => [value, []]));
const hashes = new Set<string>();
try {
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [value, all] of rates) all.push(await episodesAnHour(value, path.join(folder, `${round}-${value}`)));
  }
} finally {
  rmSync(folder, { recursive: true });
}
if (hashes.size !== 1) throw new Error(`the runs came to ${hashes.size} outcome hashes: ${[...hashes].join(', ')}`);
const medians = [...rates].map(([value, all]) => ({ value, rate: median(all) ?? Number.NaN }));
for (const { value, rate } of medians) {
  const ratio = rate / (medians[0]?.rate ?? Number.NaN);
  console.log(`--${values.option} ${value.padEnd(6)} ${rate.toFixed(0).padStart(6)} episodes/h  ${ratio.toFixed(2)}×`);
}
const load = loadavg()[0] ?? Number.NaN;
console.log(`${availableParallelism()} cores, load ${load.toFixed(1)}, ${new Date().toISOString().slice(0, 10)}`);

/** Runs the campaign once, start of the program included. */
async function episodesAnHour(value: string, bundle: string): Promise<number> {
  const run = ['run', values.suite, '--agent', 'reference', '-n', values.iterations, '--seed', '1'];
  const alone = values.option === 'workers' ? [] : ['--times'];
  const { seconds } = await measured([...run, ...alone, `--${values.option}`, value, '--out', bundle]);
  const { outcome_hash: hash, planned } = JSON.parse(readFileSync(path.join(bundle, 'report.json'), 'utf8'));
  hashes.add(String(hash));
  return Number(planned) / (seconds / 3_600);
}
