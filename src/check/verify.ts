import { existsSync } from 'node:fs';
import { type CampaignSeal, campaignSealOf, readCampaignSeal } from '../bundle/campaign-seal.ts';
import { BundleError, isMissing } from '../bundle/errors.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { LedgerRecord } from '../bundle/ledger-record.ts';
import { readLedger } from '../bundle/ledger.ts';
import type { Row } from '../bundle/row.ts';
import type { SealedRow } from '../bundle/sealed-rows.ts';
import { type CampaignFile, readCampaignFile } from '../campaign/campaign-file.ts';
import { CampaignError } from '../campaign/error.ts';
import { episodeCount } from '../campaign/plan.ts';
import { ledgerFindings } from './against-ledger.ts';
import { sealFindings, strangerFindings } from './bundle-files.ts';
import { broken, type Finding, incomplete } from './finding.ts';
import { rowFindings } from './row-findings.ts';

/** What of a bundle was read while it was verified. */
export interface Verified {
  campaign: CampaignFile;
  /** Counted rows in plan order. */
  rows: Row[];
}

/**
 * Verifies all that figures are drawn from, without trust, network or browser: every byte against seals, ledger and root;
 * the ledger against the plan; rows against plan, pins, events and evidence. Yields what is off, and returns what was
 * read; null when it could not be read on. Holds the counted rows, and one attempt's files and evidence at a time.
 * @throws CampaignError when the folder holds no bundle at all.
 */
export async function* verifyRecords(layout: BundleLayout): AsyncGenerator<Finding, Verified | null> {
  const campaign = await campaignOr(layout);
  const records = 'problem' in campaign ? campaign : await recordsOr(layout);
  if ('problem' in campaign || 'problem' in records) {
    if ('problem' in records) yield records;
    return null;
  }
  yield* ledgerFindings(records, campaign);
  yield* strangerFindings(layout, records);
  yield* campaignSealFindings(layout);
  yield* sealFindings(layout, records);
  const counted: SealedRow[] = [];
  yield* rowFindings(layout, campaign, records, counted);
  const inOrder = counted.toSorted((a, b) => a.row.plan_index - b.row.plan_index);
  if (inOrder.length === episodeCount(campaign.plan)) {
    yield* rootFindings(
      layout,
      inOrder.map(({ sealHash }) => sealHash),
    );
  }
  return { campaign, rows: inOrder.map(({ row }) => row) };
}

async function campaignOr(layout: BundleLayout): Promise<CampaignFile | Finding> {
  try {
    return await readCampaignFile(layout);
  } catch (error) {
    if (!existsSync(layout.campaign)) throw error;
    if (error instanceof BundleError || error instanceof CampaignError) return broken('campaign.json', error.message);
    throw error;
  }
}

async function recordsOr(layout: BundleLayout): Promise<readonly LedgerRecord[] | Finding> {
  try {
    return (await readLedger(layout.ledger)).records;
  } catch (error) {
    if (error instanceof BundleError) return broken('ledger.jsonl', error.message);
    throw error;
  }
}

/** What the bundle's seal says of two files; its root is looked at when all rows were read. */
async function* campaignSealFindings(layout: BundleLayout): AsyncGenerator<Finding> {
  const seal = await sealOr(layout);
  if ('problem' in seal) {
    yield seal;
    return;
  }
  const now = await campaignSealOf(layout, []);
  if (seal.campaign_hash !== now.campaign_hash)
    yield broken('campaign.json', 'is not what campaign_hash of seal.json says');
  if (seal.ledger_head !== now.ledger_head)
    yield broken('ledger.jsonl', 'does not end as ledger_head of seal.json says');
}

async function* rootFindings(layout: BundleLayout, sealHashes: readonly string[]): AsyncGenerator<Finding> {
  const seal = await sealOr(layout);
  if ('problem' in seal) return;
  const now = await campaignSealOf(layout, sealHashes);
  if (seal.episodes !== now.episodes) yield broken('seal.json', 'episodes is not how many rows count');
  if (seal.root !== now.root) yield broken('seal.json', 'root is not that of the sealed attempts in plan order');
}

async function sealOr(layout: BundleLayout): Promise<CampaignSeal | Finding> {
  try {
    return (await readCampaignSeal(layout)).seal;
  } catch (error) {
    if (isMissing(error)) return incomplete('seal.json', 'is missing: the run was ended early, or it was taken away');
    if (error instanceof BundleError) return broken('seal.json', error.message);
    throw error;
  }
}
