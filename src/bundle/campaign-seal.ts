import { z } from 'zod';
import { canonicalJson, sha256Hex } from '../contract/canonical.ts';
import { writeFileAtomically } from './atomic-file.ts';
import { BundleError, systemCode } from './errors.ts';
import type { BundleLayout } from './layout.ts';
import { readLedger } from './ledger.ts';
import { merkleRoot } from './merkle.ts';
import { readPlainFile } from './plain-file.ts';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const MAX_BYTES = 256 * 1024 * 1024;

/** The whole bundle in a few hashes; whoever trusts this file can check every other one. */
export const CampaignSeal = z.strictObject({
  schema_version: z.literal(1),
  /** SHA-256 of the bytes of `campaign.json`. */
  campaign_hash: Sha256,
  /** Hash of the ledger's last record; without it, whole lines could be cut off at the end unseen. */
  ledger_head: Sha256,
  episodes: z.int().min(0),
  /** Merkle root over the seal hashes of the counted attempts, in plan order. */
  root: Sha256,
});
export type CampaignSeal = z.infer<typeof CampaignSeal>;

/** Writes the campaign's seal. `sealHashes` has the counted attempt of every episode, in plan order. */
export async function sealCampaign(layout: BundleLayout, sealHashes: readonly string[]): Promise<CampaignSeal> {
  const seal = await computeSeal(layout, sealHashes);
  await writeFileAtomically(layout.seal, `${canonicalJson(seal)}\n`);
  return seal;
}

/** Compares the bundle with the campaign's seal. The caller has taken the seal hashes from the attempts themselves. */
export async function checkCampaignSeal(layout: BundleLayout, sealHashes: readonly string[]): Promise<string[]> {
  const written = await readSeal(layout.seal);
  if (written === null) return ['seal.json is missing: the campaign was not finished'];
  const found = await computeSeal(layout, sealHashes);
  const problems = {
    campaign_hash: 'campaign.json holds other bytes than were sealed',
    ledger_head: 'ledger.jsonl ends in another record than was sealed',
    episodes: `the seal has ${written.episodes} episodes, the bundle ${found.episodes}`,
    root: 'an episode, or the order of the episodes, differs from what was sealed',
  };
  const fields = ['campaign_hash', 'ledger_head', 'episodes', 'root'] as const;
  return fields.filter((field) => written[field] !== found[field]).map((field) => problems[field]);
}

async function computeSeal(layout: BundleLayout, sealHashes: readonly string[]): Promise<CampaignSeal> {
  const campaign = await readPlainFile(layout.campaign, MAX_BYTES);
  const { head } = await readLedger(layout.ledger);
  return {
    schema_version: 1,
    campaign_hash: sha256Hex(campaign),
    ledger_head: head,
    episodes: sealHashes.length,
    root: merkleRoot(sealHashes),
  };
}

async function readSeal(path: string): Promise<CampaignSeal | null> {
  try {
    const bytes = await readPlainFile(path, MAX_BYTES);
    return CampaignSeal.parse(JSON.parse(bytes.toString('utf8')));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    if (error instanceof BundleError) throw error;
    throw new BundleError('malformed', `${path} is not a campaign seal`, 'do not trust this bundle', { cause: error });
  }
}
