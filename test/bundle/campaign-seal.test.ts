import { appendFile, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { merkleRoot, sealCampaign } from '../../src/bundle/campaign-seal.ts';
import { bundleLayout, type BundleLayout } from '../../src/bundle/layout.ts';
import { openLedger, readLedger } from '../../src/bundle/ledger.ts';
import { sha256Hex } from '../../src/contract/canonical.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const SEALS = ['1', '2', '3'].map((digit) => digit.repeat(64));
const PLAN = '{"plan":[]}';

async function bundle(): Promise<BundleLayout> {
  const layout = bundleLayout(await temporaryFolder());
  await writeFile(layout.campaign, PLAN);
  const ledger = await openLedger(layout.ledger);
  for (const episodes of [1, 2]) await ledger.append({ kind: 'planned', plan_hash: 'a'.repeat(64), episodes });
  await ledger.close();
  return layout;
}

async function sealOf(layout: BundleLayout, seals: readonly string[]): Promise<unknown> {
  await sealCampaign(layout, seals);
  return JSON.parse(await readFile(layout.seal, 'utf8'));
}

describe('the seal of a campaign', () => {
  test('is the plan, the end of the ledger, and the Merkle root over the episodes in plan order', async () => {
    const layout = await bundle();
    expect(await sealOf(layout, SEALS)).toEqual({
      schema_version: 1,
      campaign_hash: sha256Hex(PLAN),
      ledger_head: (await readLedger(layout.ledger)).head,
      episodes: 3,
      root: merkleRoot(SEALS),
    });
  });

  test('is the same however often it is made', async () => {
    const layout = await bundle();
    expect(await sealOf(layout, SEALS)).toEqual(await sealOf(layout, SEALS));
  });

  test('changes when episodes are swapped, or one is dropped', async () => {
    const layout = await bundle();
    const seal = await sealOf(layout, SEALS);
    expect(await sealOf(layout, SEALS.toReversed())).not.toEqual(seal);
    expect(await sealOf(layout, SEALS.slice(1))).not.toEqual(seal);
  });

  test('changes when the plan is edited', async () => {
    const layout = await bundle();
    const seal = await sealOf(layout, SEALS);
    await appendFile(layout.campaign, ' ');
    expect(await sealOf(layout, SEALS)).not.toEqual(seal);
  });

  test("changes when the ledger's last line is cut off, which its chain alone cannot show", async () => {
    const layout = await bundle();
    const seal = await sealOf(layout, SEALS);
    const [first] = (await readFile(layout.ledger, 'utf8')).split('\n');
    await writeFile(layout.ledger, `${first}\n`);
    expect(await sealOf(layout, SEALS)).not.toEqual(seal);
  });

  test('is refused to a campaign.json that is a link', async () => {
    const layout = await bundle();
    await rm(layout.campaign);
    await writeFile(join(layout.root, 'elsewhere'), PLAN);
    await symlink(join(layout.root, 'elsewhere'), layout.campaign);
    await expect(sealCampaign(layout, SEALS)).rejects.toMatchObject({ code: 'not_a_file' });
  });
});
