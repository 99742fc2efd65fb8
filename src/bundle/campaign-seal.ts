import { z } from 'zod';
import { canonicalJson, sha256Hex } from '../contract/canonical.ts';
import { writeFileAtomically } from './atomic-file.ts';
import { fact } from '../messages/messages.ts';
import { BundleError } from './errors.ts';
import { parseJson } from './json-file.ts';
import type { BundleLayout } from './layout.ts';
import { ledgerHead } from './ledger.ts';
import { MAX_BYTES } from './limits.ts';
import { readPlainFile } from './plain-file.ts';
import { Sha256 } from './sha256.ts';
import { createHash } from 'node:crypto';

/**
 * The root of a Merkle tree (RFC 6962) over all leaves in order. Leaves and nodes are hashed with different first bytes, so
 * that no node can pass for a leaf.
 */
export function merkleRoot(leaves: Iterable<string | Uint8Array>): string {
  const whole: Subtree[] = [];
  for (const leaf of leaves) {
    let tree: Subtree = { size: 1, root: hash(0x00, leaf) };
    for (let last = whole.at(-1); last?.size === tree.size; last = whole.at(-1)) {
      whole.pop();
      tree = { size: 2 * tree.size, root: hash(0x01, last.root, tree.root) };
    }
    whole.push(tree);
  }
  const [last, ...before] = whole.toReversed();
  if (last === undefined) return createHash('sha256').digest('hex');
  return before.reduce((right, left) => hash(0x01, left.root, right), last.root).toString('hex');
}

/** A full tree: its size is a power of two. Only one of each size is kept, larger ones first. */
interface Subtree {
  size: number;
  root: Buffer;
}

function hash(domain: 0x00 | 0x01, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const sha256 = createHash('sha256').update(Uint8Array.of(domain));
  for (const part of parts) sha256.update(part);
  return sha256.digest();
}

/** The whole bundle in a few hashes. */
const CampaignSeal = z.strictObject({
  schema_version: z.literal(1),
  campaign_hash: Sha256,
  /** Hash of the ledger's last record; without it, lines could be cut off at the end unnoticed. */
  ledger_head: Sha256,
  episodes: z.int().min(0),
  /** Merkle root over the seal hashes of the counted attempts, in plan order. */
  root: Sha256,
});
export type CampaignSeal = z.infer<typeof CampaignSeal>;

/** @param sealHashes of the counted attempt of every episode, in plan order */
export async function sealCampaign(layout: BundleLayout, sealHashes: readonly string[]): Promise<void> {
  await writeFileAtomically(layout.seal, sealText(await campaignSealOf(layout, sealHashes)));
}

function sealText(seal: CampaignSeal): string {
  return `${canonicalJson(seal)}\n`;
}

/** SHA-256 of the seal of a bundle with this `campaign.json`, ledger and counted attempts. */
export function campaignSealHash(campaignJson: string, ledgerHeadHash: string, sealHashes: readonly string[]): string {
  return sha256Hex(sealText(sealWith(sha256Hex(campaignJson), ledgerHeadHash, sealHashes)));
}

function sealWith(campaignHash: string, head: string, sealHashes: readonly string[]): CampaignSeal {
  return {
    schema_version: 1,
    campaign_hash: campaignHash,
    ledger_head: head,
    episodes: sealHashes.length,
    root: merkleRoot(sealHashes),
  };
}

export async function campaignSealOf(layout: BundleLayout, sealHashes: readonly string[]): Promise<CampaignSeal> {
  const campaign = readPlainFile(layout.campaign, MAX_BYTES.campaign);
  return sealWith(sha256Hex(campaign), await ledgerHead(layout.ledger), sealHashes);
}

/** Reads the seal, and its bytes, which a signature signs. @throws BundleError when it is missing or not canonical. */
export async function readCampaignSeal(layout: BundleLayout): Promise<{ seal: CampaignSeal; bytes: Buffer }> {
  const bytes = readPlainFile(layout.seal, MAX_BYTES.seal);
  const seal = parseJson(bytes, CampaignSeal, 'a seal', layout.seal);
  if (bytes.toString('utf8') === sealText(seal)) return { seal, bytes };
  throw new BundleError(fact('seal_not_canonical', { file: layout.seal }));
}
