/**
 * Time the judging of a campaign again from its evidence, against the run that it judges. In turn; prints the ratio of
 * medians.
 *
 *   npm run bench:rejudge [-- --rounds 3 --iterations 3 --suite basics]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../src/stats/resampling.ts';
import { measured } from './measured-process.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    iterations: { type: 'string', default: '3' },
    suite: { type: 'string', default: 'basics' },
  },
});
const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-rejudge-'));
const [ran, rejudged]: [number[], number[]] = [[], []];
try {
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const bundle = path.join(folder, String(round));
    const run = ['run', values.suite, '--agent', 'reference', '-n', values.iterations, '--times', '--out', bundle];
    ran.push((await measured(run)).seconds);
    rejudged.push((await measured(['rejudge', bundle])).seconds);
  }
} finally {
  await rm(folder, { recursive: true });
}
const [run, rejudge] = [median(ran) ?? Number.NaN, median(rejudged) ?? Number.NaN];
console.log(`run      ${run.toFixed(1)} s`);
console.log(`rejudge  ${rejudge.toFixed(1)} s  (${((rejudge / run) * 100).toFixed(1)} % of the run)`);
