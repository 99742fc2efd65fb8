import { createWriteStream } from 'node:fs';
import { copyFile, cp, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { nameOfBlob, openBlobs } from '../bundle/blobs.ts';
import { readCampaignSeal, sealCampaign } from '../bundle/campaign-seal.ts';
import { type BundleLayout, bundleLayout } from '../bundle/layout.ts';
import { eachLedgerRecord } from '../bundle/ledger.ts';
import { MAX_BYTES } from '../bundle/limits.ts';
import { mergedLedger } from '../bundle/merged-ledger.ts';
import { readPlainFile } from '../bundle/plain-file.ts';
import type { Row } from '../bundle/row.ts';
import { readSealedRow, type SealedRecord } from '../bundle/sealed-rows.ts';
import { sha256Hex } from '../contract/canonical.ts';
import { type CampaignFile, campaignText, writeCampaignFile } from '../plan/campaign-file.ts';
import { fact } from '../messages/messages.ts';
import { CampaignError } from '../plan/error.ts';
import { mergedCampaign } from '../plan/parts.ts';
import { PlannedEpisodes } from '../plan/part-of-plan.ts';
import { makeNewFolder } from './new-folder.ts';
import { writeRows } from './progress.ts';

export interface VerifiedPart {
  layout: BundleLayout;
  campaign: CampaignFile;
}

/**
 * Makes one bundle of parts, which the caller has verified: copies the files of every attempt, and merges the ledgers into one chain
 * from which that of each part can be made again.
 * @throws CampaignError naming a part that is missing or repeated, or a pin that differs
 */
export async function mergeParts(parts: readonly VerifiedPart[], folder: string): Promise<CampaignFile> {
  const finished = await Promise.all(parts.map(finishedPart));
  const merged = mergedCampaign(finished);
  await makeNewFolder(folder);
  const to = bundleLayout(folder);
  const inOrder = parts.toSorted((a, b) => indexOf(a) - indexOf(b)).map(({ layout }) => layout);
  await mkdir(to.blobs);
  for (const part of inOrder) await copyFiles(part, to);
  await writeCampaignFile(to, merged);
  await writeLedger(inOrder, to, new PlannedEpisodes(merged));
  const counted = await countedIn(to);
  await writeRows(to, rowsOf(counted, to));
  await sealCampaign(
    to,
    counted.map(({ seal_hash: sealHash }) => sealHash),
  );
  return merged;
}

/** The records of counted attempts, in plan order. */
async function countedIn(layout: BundleLayout): Promise<SealedRecord[]> {
  const counted: { record: SealedRecord; at: number }[] = [];
  for await (const record of eachLedgerRecord(layout.ledger)) {
    if (record.kind !== 'sealed') continue;
    const { row } = await readSealedRow(record, layout);
    if (row.counts) counted.push({ record, at: row.plan_index });
  }
  return counted.toSorted((a, b) => a.at - b.at).map(({ record }) => record);
}

async function* rowsOf(records: readonly SealedRecord[], layout: BundleLayout): AsyncGenerator<Row, void> {
  for (const record of records) yield (await readSealedRow(record, layout)).row;
}

async function finishedPart({ layout, campaign }: VerifiedPart) {
  const { bytes } = await readCampaignSeal(layout);
  // `verify` makes the campaign.json of each part again, byte by byte.
  if (readPlainFile(layout.campaign, MAX_BYTES.campaign).toString('utf8') !== campaignText(campaign)) {
    throw new CampaignError(fact('part_rewritten', { name: layout.name }));
  }
  return { name: layout.name, campaign, sealHash: sha256Hex(bytes) };
}

function indexOf({ campaign: { shard } }: VerifiedPart): number {
  return shard?.index ?? 0;
}

async function copyFiles(from: BundleLayout, to: BundleLayout): Promise<void> {
  await cp(from.episodes, to.episodes, { recursive: true, force: false, errorOnExist: true });
  const there = openBlobs(to.blobs);
  for (const file of await readdir(from.blobs)) {
    if (!(await there.has(nameOfBlob(file)))) await copyFile(path.join(from.blobs, file), path.join(to.blobs, file));
  }
}

async function writeLedger(
  parts: readonly BundleLayout[],
  { ledger }: BundleLayout,
  episodes: PlannedEpisodes,
): Promise<void> {
  const lines = mergedLedger(
    parts.map((part) => eachLedgerRecord(part.ledger)),
    (id) => episodes.byId(id)?.planIndex ?? 0,
  );
  const text = async function* (): AsyncGenerator<string> {
    for await (const line of lines) yield `${line}\n`;
  };
  await pipeline(Readable.from(text()), createWriteStream(ledger, { flags: 'wx' }));
}
