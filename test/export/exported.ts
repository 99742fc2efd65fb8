import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import yauzl from 'yauzl';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { readCountedRows } from '../../src/bundle/sealed-rows.ts';
import type { ExportedBundle } from '../../src/export/exported-bundle.ts';
import { readCampaignFile } from '../../src/plan/campaign-file.ts';

export const SOURCE = {
  campaign_id: 'campaign',
  plan_hash: 'b'.repeat(64),
  seal_hash: 'c'.repeat(64),
  touchstone: '1',
};

/** A bundle as the formats take it; nothing of it is verified. */
export async function toExport(folder: string): Promise<ExportedBundle> {
  const layout = bundleLayout(folder);
  const [campaign, rows] = [await readCampaignFile(layout), await readCountedRows(layout)];
  return { layout, campaign, rows, source: SOURCE };
}

/** The files of a zip as text, by name. */
export async function textsIn(zip: string): Promise<Map<string, string>> {
  const opened = await yauzl.fromBufferPromise(await readFile(zip));
  const texts = new Map<string, string>();
  for await (const entry of opened.eachEntry()) {
    texts.set(entry.fileName, await text(await opened.openReadStreamPromise(entry)));
  }
  return texts;
}
