import { canonicalJson, sha256Hex } from '../contract/canonical.ts';
import { writeFileAtomically } from './atomic-file.ts';
import type { BundleLayout } from './layout.ts';
import { readLedger } from './ledger.ts';
import { MAX_BYTES } from './limits.ts';
import { merkleRoot } from './merkle.ts';
import { readPlainFile } from './plain-file.ts';

/** The whole bundle in a few hashes; whoever trusts this file can check every other one. */
interface CampaignSeal {
  schema_version: 1;
  /** SHA-256 of the bytes of `campaign.json`. */
  campaign_hash: string;
  /** Hash of the ledger's last record; without it, whole lines could be cut off at the end unseen. */
  ledger_head: string;
  episodes: number;
  /** Merkle root over the seal hashes of the counted attempts, in plan order. */
  root: string;
}

/** Writes the campaign's seal. `sealHashes` has the counted attempt of every episode, in plan order. */
export async function sealCampaign(layout: BundleLayout, sealHashes: readonly string[]): Promise<void> {
  const campaign = await readPlainFile(layout.campaign, MAX_BYTES.campaign);
  const { head } = await readLedger(layout.ledger);
  const seal: CampaignSeal = {
    schema_version: 1,
    campaign_hash: sha256Hex(campaign),
    ledger_head: head,
    episodes: sealHashes.length,
    root: merkleRoot(sealHashes),
  };
  await writeFileAtomically(layout.seal, `${canonicalJson(seal)}\n`);
}
