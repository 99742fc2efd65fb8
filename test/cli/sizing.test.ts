import { appendFile, cp, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Concurrency } from '../../src/bundle/concurrency.ts';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { openLedger, readLedger } from '../../src/bundle/ledger.ts';
import { measureCampaign } from '../../src/cli/campaign-measures.ts';
import { sizingLines, sizingOf } from '../../src/cli/sizing.ts';
import { Task } from '../../src/task/schema.ts';
import { committedBundle } from '../committed-bundle.ts';
import { stagedBundle } from '../verify/staged-bundle.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

const MEASURED = {
  episodes: 1_000,
  attempts: 1_010,
  busy_ms: 1_800_000,
  most_at_once: 4,
  elsewhere: false,
  bytes: 50_000_000,
  usd: 2,
  tokens: 3_000_000,
};
const WANTED = { episodes: 1_000_000, machines: 10, machineUsd: 0.5, storageUsd: 0.02 };

test('a sizing is the product of what was measured and what was given, and shows its arithmetic', () => {
  const sizing = sizingOf(MEASURED, WANTED);
  expect(sizing).toEqual({
    episodes_per_hour: 2_000,
    hours: 50,
    machine_usd: 250,
    model_usd: 2_000,
    bytes: 50e9,
    storage_usd_per_month: 1,
    bytes_per_second: 50e9 / 180_000,
  });
  expect(sizingLines(MEASURED, WANTED, sizing)).toEqual([
    'measured    1 000 episodes in 30.0 min, in 1 010 attempts, at most 4 at once: 2 000 an hour',
    'time        1 000 000 / (10 × 2 000 an hour) = 50.0 h',
    'machines    10 × 50.0 h × 0.500 USD = 250.00 USD',
    'models      1 000 000 × 0.00200 USD = 2000.00 USD; 3 000 tokens an episode',
    'evidence    1 000 000 × 50.0 kB = 50.0 GB; × 0.0200 USD a GB = 1.00 USD a month',
    'arriving    50.0 GB / 50.0 h = 277.8 kB a second, at the one coordinator',
  ]);
});

test('a price that is not known is said to be so, and never taken for nothing', () => {
  const measured = { ...MEASURED, usd: null };
  const sizing = sizingOf(measured, WANTED);
  expect(sizing.model_usd).toBeNull();
  expect(sizingLines(measured, WANTED, sizing).join('\n')).toContain(
    'the price of a model that was measured is not known',
  );
});

/** Writes a ledger whose records have these times, in s. */
async function ledgerOf(steps: readonly (readonly [s: number, 'started' | 'sealed' | 'killed', attempt: number])[]) {
  const layout = bundleLayout(await temporaryFolder());
  const clock = steps.map(([s]) => new Date(s * 1_000));
  const ledger = await openLedger(layout.ledger, () => clock.shift() ?? new Date(0));
  for (const [, kind, attempt] of steps) {
    const of = { episode_id: 'e', attempt };
    if (kind === 'started') await ledger.append({ kind, ...of, run_id: 'r' });
    else
      await ledger.append({
        kind: 'voided',
        ...of,
        why: 'x',
        ...(kind === 'killed' ? {} : { interruption: 'outage' as const }),
      });
  }
  await ledger.close();
  return layout;
}

test('a pause between two runs is no time of work, and what ran at once is counted once', async () => {
  const layout = await ledgerOf([
    [0, 'started', 1],
    [10, 'started', 2],
    [20, 'sealed', 1],
    [30, 'sealed', 2],
    [1_000, 'started', 3],
    [1_010, 'sealed', 3],
  ]);
  expect(await measureCampaign(layout)).toMatchObject({ attempts: 3, busy_ms: 40_000, most_at_once: 2 });
});

test('a killed attempt ends with the last that was written before its run went on', async () => {
  const layout = await ledgerOf([
    [0, 'started', 1],
    [10, 'started', 2],
    [20, 'sealed', 1],
    [5_000, 'killed', 2],
  ]);
  expect(await measureCampaign(layout)).toMatchObject({ attempts: 2, busy_ms: 20_000 });
});

test('the command counts the bytes and the time of a bundle', async () => {
  const root = await temporaryFolder();
  await cp(await committedBundle('protocols'), root, { recursive: true });
  const layout = bundleLayout(root);
  const before = await measureCampaign(layout);
  const { records } = await readLedger(layout.ledger);
  const [first, last] = [records.find(({ kind }) => kind === 'started'), records.at(-1)];
  const span = Date.parse(last?.at ?? '') - Date.parse(first?.at ?? '');
  expect(before.busy_ms).toBeGreaterThan(span / 2);
  expect(before.busy_ms).toBeLessThanOrEqual(span);
  await appendFile(layout.report('md'), 'x'.repeat(1_000));
  const { exit, out } = await touchstone('sizing', root, '--episodes', '100', '--json');
  expect(exit).toBe(0);
  const { measured, sizing } = JSON.parse(out);
  expect(measured.bytes).toBe(before.bytes + 1_000);
  expect(sizing.bytes).toBeCloseTo((measured.bytes * 100) / measured.episodes);
});

test('whether other machines ran the episodes is told, as a bundle does not have their number', async () => {
  const task = Task.parse({
    id: 'send',
    title: 'Send a message',
    startUrl: 'http://shop.localhost/',
    goal: 'Send it',
    success: { kind: 'no_dialog' },
  });
  const here = { workers: 2, load_average: 1, cores: 2 };
  const measures = async (concurrency: Concurrency) =>
    await measureCampaign((await stagedBundle({ task, row: { concurrency } })).layout);
  expect(await measures(here)).toMatchObject({ episodes: 1, elsewhere: false });
  expect(await measures({ ...here, load_average: null, cores: null })).toMatchObject({ episodes: 1, elsewhere: true });
});

test('a bundle in which no episode has ended is refused', async () => {
  const empty = await temporaryFolder();
  await cp(await committedBundle('protocols'), empty, { recursive: true });
  await writeFile(bundleLayout(empty).ledger, '');
  expect(await touchstone('sizing', empty)).toMatchObject({
    exit: 2,
    err: expect.stringContaining('has no episode'),
  });
});
