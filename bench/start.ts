/**
 * Time the start of the program: `--help` and `list` as built, and in a clone, against `node -e 0`. Interleaved;
 * prints medians, how much that is more, and the ratio.
 *
 *   npm run bench:start [-- <rounds>]
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { packageRoot } from '../src/plan/package-root.ts';

const rounds = Number(process.argv[2] ?? 15);
const root = packageRoot();
const built = path.join(root, 'dist/cli/main.js');
const source = ['--import', 'tsx', path.join(root, 'src/cli/main.ts')];
const LINES: Readonly<Record<string, readonly string[]>> = {
  'node -e 0': ['-e', '0'],
  'built: --help': [built, '--help'],
  'built: list': [built, 'list'],
  'clone: --help': [...source, '--help'],
  'clone: list': [...source, 'list'],
};

const times = new Map(Object.keys(LINES).map((name) => [name, [] as number[]]));
for (let round = 0; round < rounds; round += 1) {
  for (const [name, line] of Object.entries(LINES)) {
    const begun = performance.now();
    const { status, stderr } = spawnSync(process.execPath, line, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
    times.get(name)?.push(performance.now() - begun);
  }
}
const least = median(times.get('node -e 0') ?? []);
for (const [name, all] of times) {
  const own = median(all);
  console.log(
    `${name.padEnd(14)}  ${own.toFixed(0).padStart(5)} ms  +${(own - least).toFixed(0).padStart(5)} ms  ${(own / least).toFixed(2)}×`,
  );
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
