import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { checkCampaignSeal, sealCampaign } from '../../src/bundle/campaign-seal.ts';
import { bundleLayout, type BundleLayout } from '../../src/bundle/layout.ts';
import { openLedger } from '../../src/bundle/ledger.ts';
import { merkleRoot } from '../../src/bundle/merkle.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const SEALS = ['1', '2', '3'].map((digit) => digit.repeat(64));

async function sealedBundle(folder: string): Promise<BundleLayout> {
  const layout = bundleLayout(folder);
  await writeFile(layout.campaign, '{"plan":[]}');
  const ledger = await openLedger(layout.ledger);
  for (const episodes of [1, 2]) await ledger.append({ kind: 'planned', plan_hash: 'a'.repeat(64), episodes });
  await ledger.close();
  await sealCampaign(layout, SEALS);
  return layout;
}

describe('the seal of a campaign', () => {
  test('holds when nothing was touched', async () => {
    const folder = await temporaryFolder();
    expect(await checkCampaignSeal(await sealedBundle(folder), SEALS)).toEqual([]);
  });

  test('keeps the Merkle root over the episodes in plan order', async () => {
    const folder = await temporaryFolder();
    const layout = await sealedBundle(folder);
    expect(JSON.parse(await readFile(layout.seal, 'utf8'))).toMatchObject({ episodes: 3, root: merkleRoot(SEALS) });
  });

  test('shows episodes that were swapped, and one that was dropped', async () => {
    const folder = await temporaryFolder();
    const layout = await sealedBundle(folder);
    expect(await checkCampaignSeal(layout, SEALS.toReversed())).toEqual([expect.stringContaining('order')]);
    expect(await checkCampaignSeal(layout, SEALS.slice(1))).toContain('the seal has 3 episodes, the bundle 2');
  });

  test('shows an edited plan', async () => {
    const folder = await temporaryFolder();
    const layout = await sealedBundle(folder);
    await appendFile(layout.campaign, ' ');
    expect(await checkCampaignSeal(layout, SEALS)).toEqual([expect.stringContaining('campaign.json')]);
  });

  test('shows a ledger whose last line was cut off, which its chain alone cannot', async () => {
    const folder = await temporaryFolder();
    const layout = await sealedBundle(folder);
    const [first] = (await readFile(layout.ledger, 'utf8')).split('\n');
    await writeFile(layout.ledger, `${first}\n`);
    expect(await checkCampaignSeal(layout, SEALS)).toEqual([expect.stringContaining('ledger.jsonl')]);
  });

  test('that is missing is a problem, and one that is no seal an error', async () => {
    const folder = await temporaryFolder();
    const layout = await sealedBundle(folder);
    await writeFile(layout.seal, '{"root":"x"}');
    await expect(checkCampaignSeal(layout, SEALS)).rejects.toMatchObject({ code: 'malformed' });
    await rm(layout.seal);
    expect(await checkCampaignSeal(layout, SEALS)).toEqual([expect.stringContaining('missing')]);
  });
});
