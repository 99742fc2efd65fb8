import { fact } from '../messages/messages.ts';
import { campaignSealHash } from '../bundle/campaign-seal.ts';
import type { LedgerRecord } from '../bundle/ledger-record.ts';
import { PartChains } from '../bundle/merged-ledger.ts';
import { type CampaignFile, campaignText } from '../plan/campaign-file.ts';
import { campaignsOfParts } from '../plan/parts.ts';
import { isOfShard } from '../plan/part-of-plan.ts';
import { shardName } from '../plan/shard.ts';
import { fileProblem, type BundleProblem } from './finding.ts';

/** The seal of a counted attempt, and the place of its episode in the plan. */
export interface CountedSeal {
  place: number;
  hash: string;
}

/**
 * Makes the seal of each part of a merged bundle again, from the part's own chain of records, its `campaign.json` and its counted
 * attempts, and yields the parts that have come to another than `campaign.json` says. So no part can lose, gain or change a
 * record, and whoever has kept the seal of a part, or signed it, finds it here.
 */
export async function* partFindings(
  campaign: CampaignFile,
  records: AsyncIterable<LedgerRecord>,
  counted: readonly CountedSeal[],
): AsyncGenerator<BundleProblem> {
  const { parts = [] } = campaign;
  if (parts.length === 0) return;
  const chains = new PartChains();
  for await (const record of records) chains.take(record);
  for (const [at, part] of campaignsOfParts(campaign).entries()) {
    const own = counted.filter(({ place }) => isOfShard({ planIndex: place }, part)).map(({ hash }) => hash);
    const seal = campaignSealHash(campaignText(part), chains.headOf(at + 1), own);
    if (seal === parts[at]?.seal_hash) continue;
    const name = shardName({ index: at + 1, of: parts.length });
    yield fileProblem('campaign.json', fact('part_differs', { part: name }));
  }
}
