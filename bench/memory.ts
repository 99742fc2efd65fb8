/**
 * Does the program keep what it does not need? Runs many episodes in one process, and after every so many collects garbage and
 * looks at the heap. Prints the slope in kB an episode after the first fifty with its 95 % interval (least squares), and what was left
 * of processes, ports and files; fails where something was left, or the heap grows by more than 4 kB an episode.
 *
 *   npm run bench:memory [-- --episodes 2000 --every 20]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../src/plan/package-root.ts';
import { Entrants } from '../src/plan/entrants.ts';
import { planCampaign } from '../src/plan/plan-campaign.ts';
import { runCampaign } from '../src/run/run-campaign.ts';
import { loadSuite } from '../src/task/load-suite.ts';
import { heapGrowth, type HeapLook } from './heap-growth.ts';
import { remains } from './left-behind.ts';

const { values } = parseArgs({
  options: { episodes: { type: 'string', default: '2000' }, every: { type: 'string', default: '20' } },
});
// The first episodes load and cache things that no later one adds to.
const settledAfter = Math.min(50, Number(values.episodes) / 2);
// Unlike the `gc` of V8, it also collects compiled code that has not been used for a while.
const inspector = new Session();
inspector.connect();

const loaded = await loadSuite(path.join(packageRoot(), 'suites/basics'));
if (!loaded.ok) throw new Error('suite basics does not load');
const { suite } = loaded;
const entrants = await Entrants.load();
const iterations = Math.ceil(Number(values.episodes) / suite.tasks.length);
const plan = await planCampaign(
  {
    suites: [suite],
    agents: ['reference'],
    surfaces: ['aria'],
    only: null,
    iterations,
    seed: 1,
    isolation: 'context',
    browserKind: 'full',
    live: false,
  },
  entrants,
);
const outside = await mkdtemp(path.join(tmpdir(), 'touchstone-memory-'));
process.env['TMPDIR'] = await mkdtemp(path.join(tmpdir(), 'left-'));
const temporary = process.env['TMPDIR'];
const before = remains(temporary);
const looks: HeapLook[] = [];
let done = 0;
let failed = 0;
await runCampaign({
  plan,
  suites: [suite],
  entrants,
  suiteNames: ['basics'],
  folder: path.join(outside, 'bundle'),
  resume: false,
  workers: 'auto',
  redactor: { text: (text) => text, json: (value) => value },
  signal: new AbortController().signal,
  listener: {
    finished: async ({ status }) => {
      done += 1;
      if (status !== 'passed') failed += 1;
      if (done % Number(values.every) !== 0) return;
      const look = done;
      await inspector.post('HeapProfiler.collectGarbage');
      looks.push({ done: look, bytes: process.memoryUsage().heapUsed });
      process.stderr.write(`\r${done}/${iterations * suite.tasks.length}`);
    },
  },
});
const left = [...remains(temporary)].filter((each) => !before.has(each));
const grown = heapGrowth(looks.filter((look) => look.done > settledAfter));
console.log(`\r${done} episodes, ${failed} of them did not pass`);
console.log(
  `heap ${((looks.at(-1)?.bytes ?? 0) / 1e6).toFixed(1)} MB at the end; ${(grown.slope / 1e3).toFixed(2)} ± ${(grown.half / 1e3).toFixed(2)} kB an episode${grown.leaks ? ': it leaks' : ''}`,
);
console.log(`left behind: ${left.length === 0 ? 'nothing' : left.join(', ')}`);
inspector.disconnect();
await rm(outside, { recursive: true });
await rm(temporary, { recursive: true });
process.exitCode = left.length === 0 && failed === 0 && !grown.leaks ? 0 : 1;
