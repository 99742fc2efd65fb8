import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { sealCampaign } from '../../src/bundle/campaign-seal.ts';
import { eachSealedRow } from '../../src/bundle/sealed-rows.ts';
import type { RowDraft } from '../../src/bundle/row.ts';
import type { CampaignFile } from '../../src/plan/campaign-file.ts';
import { touchstone } from '../cli/touchstone.ts';
import { type Forged, forge } from './forge.ts';
import { committedBundle } from '../committed-bundle.ts';

const WEBVOYAGER = await committedBundle('webvoyager');
const REPLAYED = { bundle: WEBVOYAGER, decider: 'transcript' } as const;

async function said({ layout }: Forged): Promise<string> {
  const { exit, out } = await touchstone('verify', layout.root);
  expect(exit).toBe(1);
  return out;
}

test.each<[string, Partial<RowDraft>]>([
  ['endpoint_kind', { endpoint_kind: 'provider' }],
  ['world_kind', { world_kind: 'live_web' }],
  ['model_id', { model_id: 'claude-sonnet-4-6' }],
])('a replay whose row says %s is named', async (field, change) => {
  const forged = await forge(() => change, undefined, REPLAYED);
  expect(await said(forged)).toMatch(new RegExp(`row\\.json: .*${field}`));
});

test('stand-ins that are called the live web, in rows and pins alike, are named by the plan', async () => {
  const forged = await forge(() => ({ world_kind: 'live_web' }), undefined, REPLAYED);
  const { layout } = forged;
  const campaign: CampaignFile = JSON.parse(await readFile(layout.campaign, 'utf8'));
  for (const name of Object.keys(campaign.pins.world_kinds)) campaign.pins.world_kinds[name] = 'live_web';
  await writeFile(layout.campaign, `${JSON.stringify(campaign, null, 2)}\n`);
  const sealed: { at: number; hash: string }[] = [];
  for await (const each of eachSealedRow(layout)) {
    if ('row' in each) sealed.push({ at: each.row.plan_index, hash: each.sealHash });
  }
  const hashes = sealed.toSorted((a, b) => a.at - b.at).map(({ hash }) => hash);
  await sealCampaign(layout, hashes);
  expect(await said(forged)).toMatch(
    /campaign\.json: world_kinds says live_web of webvoyager\/.* the plan is not live/,
  );
});

test('the success of one episode, copied under another, is named', async () => {
  const rows = (await readFile(`${WEBVOYAGER}/rows.jsonl`, 'utf8')).trim().split('\n');
  const passed = rows.map((line) => JSON.parse(line)).filter(({ status }) => status === 'passed');
  const [good] = passed;
  const { task, episode_id: _id, plan_index: _place, run_id: _run, ...outcome } = good;
  const other = passed.find((row) => row.task !== task);
  const { record_hash: _record, outcome_hash: _outcome, ...copied } = outcome;
  const under = { bundle: WEBVOYAGER, episode_id: other.episode_id };
  const forged = await forge(({ task: own, instance }) => ({ ...copied, task: own, instance }), undefined, under);
  expect(await said(forged)).toContain(forged.place);
});
