/**
 * Episodes with random faults, one after the other in this process, and their leftovers: no process, port or file, and a bundle
 * that verifies and rejudges. Linux only, since `/proc` lists the owners there.
 *
 *   npm run bench:random-faults [-- --episodes <count>] [--seed <number>] [--out <folder>]
 */
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { bundleLayout } from '../src/bundle/layout.ts';
import { readSealedRows } from '../src/bundle/sealed-rows.ts';
import { main } from '../src/cli/program.ts';
import { type Remains, remains } from './left-behind.ts';
import { randomProfile } from './random-profile.ts';

/** Quick tasks of three suites, with a form, a session and a protocol. */
const RUNS = [
  { suite: 'basics', tasks: ['local-form-submit', 'dialog-delete'] },
  { suite: 'account', tasks: ['sign-in', 'change-address'] },
  { suite: 'protocols', tasks: ['add-monitor'] },
];
const AGENTS = ['retrying-reference'];
const SURFACES = { builtIn: ['aria', 'dom'], servers: ['playwright-mcp'] };
/** Time for ending processes to be gone, in ms. */
const GONE_MS = 20_000;

const { values } = parseArgs({
  options: {
    episodes: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});
const [episodes, seed] = [Number(values.episodes), Number(values.seed)];
const outside = mkdtempSync(path.join(tmpdir(), 'touchstone-random-'));
const bundle = values.out ?? path.join(outside, 'bundle');
const profile = path.join(outside, 'random.json');
const tasks = RUNS.flatMap((each) => each.tasks);
const grid = {
  builtIn: SURFACES.builtIn.length,
  servers: SURFACES.servers.length,
  each: tasks.length * AGENTS.length,
};
writeFileSync(profile, JSON.stringify(randomProfile(seed, episodes, grid)));

// All temporary files go here: those at the end were left behind. A short path, since some are sockets.
const temporary = mkdtempSync(path.join(tmpdir(), 'left-'));
// Tool servers run as another user, whose home is below it.
chmodSync(temporary, 0o711);
process.env['TMPDIR'] = temporary;
const before = remains(temporary);
const begun = performance.now();
const ended = await main([
  'run',
  ...RUNS.map(({ suite }) => suite),
  '--task',
  tasks.join(','),
  '--agent',
  AGENTS.join(','),
  '--seed',
  String(seed),
  '--surface',
  [...SURFACES.builtIn, ...SURFACES.servers].join(','),
  '--fault',
  profile,
  '--out',
  bundle,
]);
const seconds = Math.round((performance.now() - begun) / 1_000);
const left = await leftOver(before);
for (const each of left) console.error(`left behind: ${each}`);
const verified = await main(['verify', bundle]);
const rejudged = await main(['rejudge', bundle]);
const neverPassed = await surfacesThatNeverPassed();
for (const each of neverPassed)
  console.error(`nothing is passed through ${each}, so no fault was injected in earnest there`);
console.log(`${seconds} s; left behind: ${left.length}; run ${ended}, verify ${verified}, rejudge ${rejudged}`);
// An unmet gate means an unrecovered fault, which does not matter here.
const isSound = left.length === 0 && neverPassed.length === 0 && verified === 0 && rejudged === 0;
process.exit(ended <= 1 && isSound ? 0 : 1);

async function leftOver(known: Remains): Promise<string[]> {
  const giveUpAt = performance.now() + GONE_MS;
  for (;;) {
    const found = [...remains(temporary)].filter((each) => !known.has(each));
    if (found.length === 0 || performance.now() > giveUpAt) return found;
    await pause(200);
  }
}

/** Where not even a task without a fault is passed, the surface itself does not work. */
async function surfacesThatNeverPassed(): Promise<string[]> {
  const passed = new Set<string>();
  for (const { row } of await readSealedRows(bundleLayout(bundle))) {
    if (row.faults.length === 0 && row.status === 'passed') passed.add(row.surface);
  }
  return [...SURFACES.builtIn, ...SURFACES.servers].filter((surface) => !passed.has(surface));
}
