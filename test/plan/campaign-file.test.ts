import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type BundleLayout, bundleLayout } from '../../src/bundle/layout.ts';
import { readCampaignFile, writeCampaignFile } from '../../src/plan/campaign-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { SMALL_CAMPAIGN } from './sample-plan.ts';

async function bundle(): Promise<BundleLayout> {
  const layout = bundleLayout(join(await temporaryFolder(), 'bundle'));
  await mkdir(layout.blobs, { recursive: true });
  await writeCampaignFile(layout, SMALL_CAMPAIGN);
  return layout;
}

async function edit(layout: BundleLayout, change: (text: string) => string): Promise<void> {
  await writeFile(layout.campaign, change(await readFile(layout.campaign, 'utf8')));
}

describe('campaign.json', () => {
  test('is read back as it was written', async () => {
    expect(await readCampaignFile(await bundle())).toEqual(SMALL_CAMPAIGN);
  });

  test('means, if missing, that the folder, there or not, is no bundle', async () => {
    const folder = await temporaryFolder();
    const nowhere = join(folder, 'nowhere');
    for (const [root, why] of [
      [folder, 'unreadable'],
      [nowhere, 'missing'],
    ] as const) {
      await expect(readCampaignFile(bundleLayout(root))).rejects.toMatchObject({
        code: 'not_a_bundle',
        params: { folder: root, why },
      });
    }
  });

  test('is refused if it is not JSON, or not ours, with the invalid field', async () => {
    const layout = await bundle();
    await edit(layout, (text) => text.replace('"seed": 1', '"seed": "1"'));
    await expect(readCampaignFile(layout)).rejects.toMatchObject({
      code: 'other_shape',
      message: expect.stringContaining(`${layout.campaign} is not a campaign: plan.seed must be`),
    });
    await edit(layout, () => 'not json');
    await expect(readCampaignFile(layout)).rejects.toMatchObject({ message: `${layout.campaign} is not JSON` });
  });

  test('is refused with another plan than was hashed', async () => {
    const layout = await bundle();
    await edit(layout, (text) => text.replace('"settle_ms": 300', '"settle_ms": 301'));
    await expect(readCampaignFile(layout)).rejects.toMatchObject({
      code: 'not_a_bundle',
      params: { folder: layout.root, why: 'other_plan' },
    });
  });

  test.each([
    ['campaign_id', '"campaign_id": "20260101T120000Z-12345678"', '"campaign_id": "[x](javascript:alert(1))"'],
    ['plan.entrants.0.surface', '"surface": "aria"', '"surface": "../../../elsewhere"'],
    ['plan.entrants.0.agent', '"agent": "reference"', '"agent": "a__b"'],
    ['plan.tasks.0.suite', '"suite": "basics"', '"suite": "<img src=x>"'],
  ])('is refused if its %s is no name', async (field, honest, hostile) => {
    const layout = await bundle();
    await edit(layout, (text) => text.replace(honest, hostile));
    await expect(readCampaignFile(layout)).rejects.toMatchObject({
      code: 'other_shape',
      message: expect.stringContaining(`${layout.campaign} is not a campaign: ${field} is not a name`),
    });
  });

  test('is refused if it is a link', async () => {
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
  expect(await readCampaignFile(layout)).toEqual(SMALL_CAMPAIGN);
  await symlink('/etc', join(layout.episodes, 'ab'.repeat(16)));
  await expect(readCampaignFile(layout)).rejects.toMatchObject({
    code: 'link_in_bundle',
    params: { name: JSON.stringify(join('episodes', 'ab'.repeat(16))) },
  });
});

describe('a bundle of another format is refused with the version that reads it', () => {
  const written = async (campaign: object): Promise<BundleLayout> => {
    const layout = bundleLayout(await temporaryFolder());
    await writeFile(layout.campaign, JSON.stringify(campaign));
    return layout;
  };
  const { surfaces: _traits, ...pins } = SMALL_CAMPAIGN.pins;

  test('if it is of format 1', async () => {
    const old = {
      ...SMALL_CAMPAIGN,
      schema_version: 1,
      pins: { ...pins, bench_commit: 'ee54b1f63b9876', surfaces: {} },
    };
    await expect(readCampaignFile(await written(old))).rejects.toMatchObject({
      code: 'other_format',
      params: expect.objectContaining({ format: 1, own: 2, writer: 'Touchstone 0.1.0 at commit ee54b1f63b98' }),
    });
  });

  test('if it is of a later one', async () => {
    const later = { ...SMALL_CAMPAIGN, schema_version: 3, signed: true };
    await expect(readCampaignFile(await written(later))).rejects.toMatchObject({ code: 'other_format' });
  });

  test('but a malformed one of this format is named as malformed', async () => {
    await expect(readCampaignFile(await written({ ...SMALL_CAMPAIGN, pins }))).rejects.toMatchObject({
      code: 'other_shape',
    });
  });
});
