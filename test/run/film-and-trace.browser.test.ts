import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openBlobs } from '../../src/bundle/blobs.ts';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { readCountedRows } from '../../src/bundle/sealed-rows.ts';
import { Entrants } from '../../src/plan/entrants.ts';
import { planCampaign, type PlanRequest } from '../../src/plan/plan-campaign.ts';
import { pictureType } from '../../src/report/html/failure-gallery.ts';
import { runCampaign } from '../../src/run/run-campaign.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { NO_SECRETS } from '../bundle/no-secrets.ts';
import { builtIn } from '../suite-files.ts';

const suite = await builtIn('basics');

async function run(kept: Pick<PlanRequest, 'film' | 'trace'>, only: string[]) {
  const entrants = await Entrants.load();
  const settings = { iterations: 1, seed: 1, isolation: 'context', browserKind: 'full', live: false } as const;
  const request = { suites: [suite], agents: ['reference'], surfaces: ['aria'], only, ...settings, ...kept };
  const plan = await planCampaign(request, entrants);
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

test('rows have the same hash with a film and without, and each of its pictures is an artifact', async () => {
  const only = ['dialog-delete', 'new-tab-terms'];
  const [on, off] = [await run({ film: true }, only), await run({}, only)];
  expect(on.rows.map((row) => row.outcome_hash)).toEqual(off.rows.map((row) => row.outcome_hash));
  expect(off.plan).not.toHaveProperty('film');
  const filmed = (row: (typeof on.rows)[number]) =>
    Object.entries(row.artifacts).filter(([name]) => name.startsWith('film_'));
  expect(off.rows.flatMap(filmed)).toEqual([]);
  const pictures = on.rows.flatMap(filmed);
  expect(pictures.length).toBeGreaterThan(2);
  const blobs = openBlobs(on.layout.blobs);
  for (const [, sha256] of pictures) expect(pictureType(await blobs.get(sha256))).toBe('image/jpeg');
});

test('rows have the same hash with traces and without, and a trace is an artifact that the events name', async () => {
  const only = ['example-h1', 'dialog-delete', 'new-tab-terms'];
  const [on, off] = [await run({ trace: 'on' }, only), await run({}, only)];
  expect(on.rows.map((row) => row.outcome_hash)).toEqual(off.rows.map((row) => row.outcome_hash));
  expect(off.plan).not.toHaveProperty('trace');
  expect(off.rows.filter(({ artifacts }) => 'trace' in artifacts)).toEqual([]);
  for (const row of on.rows) {
    const zip = await openBlobs(on.layout.blobs).get(row.artifacts['trace'] ?? '');
    expect(zip.subarray(0, 2).toString()).toBe('PK');
    expect(await readFile(on.layout.attempt(row.episode_id, 1).events, 'utf8')).toContain(row.artifacts['trace']);
  }
});
