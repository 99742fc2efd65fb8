import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type BundleLayout, bundleLayout } from '../../src/bundle/layout.ts';
import { type CampaignFile, readCampaignFile, writeCampaignFile } from '../../src/campaign/campaign-file.ts';
import { planHash } from '../../src/campaign/plan.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { SMALL_PLAN } from './sample-plan.ts';

const CAMPAIGN: CampaignFile = {
  schema_version: 1,
  campaign_id: '20260101T120000Z-12345678',
  created_at: '2026-01-01T12:00:00.000Z',
  plan_hash: planHash(SMALL_PLAN),
  plan: SMALL_PLAN,
  pins: {
    bench_version: '0.1.0',
    bench_commit: null,
    bench_dirty: null,
    judge_version: '0.1.0+123456789abc',
    node: 'v20.19.0',
    platform: 'linux x64 6.1',
    cpu: '2 × unknown',
    browser: { name: 'Chrome', version: '156.0', build: 'r1', kind: 'full', ours: true, sandbox: true },
    surfaces: { aria: '1' },
    app_hashes: {},
    transcript_hashes: {},
  },
  suites: ['basics'],
};

async function bundle(): Promise<BundleLayout> {
  const layout = bundleLayout(join(await temporaryFolder(), 'bundle'));
  await mkdir(layout.blobs, { recursive: true });
  await writeCampaignFile(layout, CAMPAIGN);
  return layout;
}

async function edit(layout: BundleLayout, change: (text: string) => string): Promise<void> {
  await writeFile(layout.campaign, change(await readFile(layout.campaign, 'utf8')));
}

describe('campaign.json', () => {
  test('is read back as it was written', async () => {
    expect(await readCampaignFile(await bundle())).toEqual(CAMPAIGN);
  });

  test('that is missing means that the folder, there or not, is no bundle', async () => {
    const folder = await temporaryFolder();
    for (const root of [folder, join(folder, 'nowhere')]) {
      await expect(readCampaignFile(bundleLayout(root))).rejects.toMatchObject({
        code: 'not_a_bundle',
        message: `${root} has no readable campaign.json`,
      });
    }
  });

  test('that is not JSON, or not ours, is named with the field that is wrong', async () => {
    const layout = await bundle();
    await edit(layout, (text) => text.replace('"seed": 1', '"seed": "1"'));
    await expect(readCampaignFile(layout)).rejects.toMatchObject({
      code: 'malformed',
      message: expect.stringContaining(`${layout.campaign} is not a campaign: plan.seed must be`),
    });
    await edit(layout, () => 'not json');
    await expect(readCampaignFile(layout)).rejects.toMatchObject({ message: `${layout.campaign} is not JSON` });
  });

  test('with another plan than was hashed is refused', async () => {
    const layout = await bundle();
    await edit(layout, (text) => text.replace('"settle_ms": 300', '"settle_ms": 301'));
    await expect(readCampaignFile(layout)).rejects.toMatchObject({
      code: 'not_a_bundle',
      message: expect.stringContaining('not the one that was hashed'),
    });
  });

  test('that is a link is refused', async () => {
    const layout = await bundle();
    const elsewhere = join(layout.root, '..', 'elsewhere.json');
    await rename(layout.campaign, elsewhere);
    await symlink(elsewhere, layout.campaign);
    await expect(readCampaignFile(layout)).rejects.toMatchObject({ code: 'not_a_file' });
  });
});

test('a bundle with a link in it, which could lead out of it, is refused', async () => {
  const layout = await bundle();
  await mkdir(layout.episodes);
  expect(await readCampaignFile(layout)).toEqual(CAMPAIGN);
  await symlink('/etc', join(layout.episodes, 'ab'.repeat(16)));
  await expect(readCampaignFile(layout)).rejects.toMatchObject({
    code: 'not_a_file',
    message: expect.stringContaining(join('episodes', 'ab'.repeat(16))),
  });
});
