import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { chromiumProcessesOf, profilesOf } from '../browser/traces.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ledgerOf, outcomeHash, rowsOf } from './bundle-files.ts';
import { touchstone } from './touchstone.ts';
import { startTouchstone } from './touchstone-process.ts';

const BASICS = ['run', 'basics', '--agent', 'transcript'];

test('four workers have the outcome of one, although killed half-way and resumed, and leave nothing behind', async () => {
  const folder = await temporaryFolder();
  const [alone, beside] = [path.join(folder, 'alone'), path.join(folder, 'beside')];
  expect(await touchstone(...BASICS, '--times', '--out', alone)).toMatchObject({ exit: 0 });
  const running = startTouchstone(...BASICS, '--workers', '4', '--out', beside);
  await running.says('3/8');
  running.kill('SIGKILL');
  await running.ended;
  await expect.poll(() => chromiumProcessesOf(running.pid)).toEqual([]);
  const begun = (await ledgerOf(beside)).flatMap((each) => (each.kind === 'started' ? [each.episode_id] : []));

  // In its own process: this one has browsers from other tests, and sweeping needs a launch.
  expect(await startTouchstone('run', '--resume', beside, '--workers', '4').ended).toBe(0);
  expect(await outcomeHash(beside)).toBe(await outcomeHash(alone));
  expect(await touchstone('verify', beside)).toMatchObject({ exit: 0 });
  expect(profilesOf(running.pid)).toEqual([]);
  const rows = await rowsOf(beside);
  expect(rows.map(({ plan_index: place }) => place)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(rows.some(({ concurrency }) => concurrency?.workers === 4)).toBe(true);
  expect((await rowsOf(alone)).some((row) => 'concurrency' in row)).toBe(false);
  // Only episodes under way were lost, and nothing else ran twice.
  const again = rows.filter(({ attempt }) => attempt > 1);
  expect(again.length).toBeLessThanOrEqual(4);
  expect(begun).toEqual(expect.arrayContaining(again.map(({ episode_id: id }) => id)));
});

test('workers are the default, and the report claims no times', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  expect(await touchstone(...BASICS, '--out', bundle)).toMatchObject({ exit: 0 });
  for (const { concurrency } of await rowsOf(bundle)) expect(concurrency?.workers).toBeGreaterThan(1);
  expect(await readFile(path.join(bundle, 'report.md'), 'utf8')).toContain(
    'No time may be claimed: other episodes run at the same time. To lift it: run it with --times',
  );
});

test('a killed browser costs its own episode and no other', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const running = startTouchstone(...BASICS, '--workers', '3', '--verbose', '--out', bundle);
  await running.says('call 3');
  const [chromium] = chromiumProcessesOf(running.pid);
  if (chromium === undefined) throw new Error('no Chromium of the run was found');
  process.kill(chromium, 'SIGKILL');
  expect(await running.ended).toBeLessThanOrEqual(1);
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
  const rows = await rowsOf(bundle);
  expect(rows).toHaveLength(8);
  expect(rows.filter(({ status }) => status !== 'passed').length).toBeLessThanOrEqual(1);
  expect(chromiumProcessesOf(running.pid)).toEqual([]);
  expect(profilesOf(running.pid)).toEqual([]);
});

test.each([
  [['--workers', '0'], '--workers <count> must be at least 1, not 0'],
  [['--workers', 'many'], 'must be auto, or a whole number from 1 to 256'],
  [['--workers', '2', '--browser-endpoint', 'http://127.0.0.1:9'], '2 workers need 2 browsers, but --browser-endpoint'],
  [
    ['--browser-endpoint', 'http://127.0.0.1:9', '--browser-endpoint', 'http://127.0.0.1:9/'],
    '--browser-endpoint names the same browser twice',
  ],
])('%j is refused', async (args, why) => {
  const ran = await touchstone('run', 'basics', ...args);
  expect(ran).toMatchObject({ exit: 2, err: expect.stringContaining(why) });
});
