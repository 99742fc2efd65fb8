import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openBlobs } from '../../src/bundle/blobs.ts';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { readCountedRows } from '../../src/bundle/sealed-rows.ts';
import { Entrants } from '../../src/plan/entrants.ts';
import { planCampaign, type PlanRequest } from '../../src/plan/plan-campaign.ts';
import { runCampaign } from '../../src/run/run-campaign.ts';
import { loadSuite } from '../../src/task/load-suite.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { NO_SECRETS } from '../bundle/no-secrets.ts';

const loaded = await loadSuite(path.resolve(import.meta.dirname, '../../suites/basics'));
if (!loaded.ok) throw new Error('suite basics does not load');
const { suite } = loaded;

async function run(trace: PlanRequest['trace']) {
  const entrants = await Entrants.load();
  const settings = { iterations: 1, seed: 1, isolation: 'context', browserKind: 'full' } as const;
  const only = ['example-h1', 'dialog-delete', 'new-tab-terms'];
  const request = { suites: [suite], agents: ['reference'], surfaces: ['aria'], only, ...settings, live: false };
  const plan = await planCampaign({ ...request, ...(trace === undefined ? {} : { trace }) }, entrants);
  const folder = path.join(await temporaryFolder(), 'bundle');
  await runCampaign({
    plan,
    suites: [suite],
    entrants,
    suiteNames: ['basics'],
    folder,
    resume: false,
    redactor: NO_SECRETS,
    listener: {},
    signal: new AbortController().signal,
  });
  const layout = bundleLayout(folder);
  return { layout, rows: await readCountedRows(layout), plan };
}

test('rows come to the same hash with traces and without, and a trace is an artifact that the events name', async () => {
  const [on, off] = [await run('on'), await run(undefined)];
  expect(on.rows.map((row) => row.outcome_hash)).toEqual(off.rows.map((row) => row.outcome_hash));
  expect(off.plan).not.toHaveProperty('trace');
  expect(off.rows.filter(({ artifacts }) => 'trace' in artifacts)).toEqual([]);
  for (const row of on.rows) {
    const zip = await openBlobs(on.layout.blobs).get(row.artifacts['trace'] ?? '');
    expect(zip.subarray(0, 2).toString()).toBe('PK');
    expect(await readFile(on.layout.attempt(row.episode_id, 1).events, 'utf8')).toContain(row.artifacts['trace']);
  }
});
