import type { CampaignFile, Part } from './campaign-file.ts';
import { fact } from '../messages/messages.ts';
import { CampaignError } from './error.ts';
import { causeOfChange, pinChanges } from './pin-changes.ts';
import type { Pins } from './pins.ts';
import { shardName } from './shard.ts';

export interface FinishedPart {
  name: string;
  campaign: CampaignFile;
  sealHash: string;
}

/**
 * The `campaign.json` of the whole. @throws CampaignError naming the part that is missing or there twice, or the pin that
 * differs.
 */
export function mergedCampaign(parts: readonly FinishedPart[]): CampaignFile {
  const inOrder = inOrderOfParts(parts);
  const [first] = inOrder;
  if (first === undefined) throw new CampaignError(fact('no_parts'));
  for (const each of inOrder) refuseOther(first, each);
  const { campaign } = first;
  const created = inOrder.map(({ campaign: { created_at: at } }) => at).toSorted()[0] ?? campaign.created_at;
  const { shard: _shard, max_usd: _usd, ...shared } = campaign;
  return {
    ...shared,
    campaign_id: `${created.replaceAll(/[-:]|\.\d+/g, '')}-${campaign.plan_hash.slice(0, 8)}-merged`,
    created_at: created,
    parts: inOrder.map(partIn),
  };
}

/** The parts, each as its `campaign.json` had it; none unless it was merged. */
export function campaignsOfParts({ parts = [], ...whole }: CampaignFile): CampaignFile[] {
  return parts.map(({ seal_hash: _seal, cpu, max_usd: maxUsd, ...own }, at) => ({
    ...whole,
    ...own,
    pins: { ...whole.pins, cpu },
    ...(maxUsd === undefined ? {} : { max_usd: maxUsd }),
    shard: { index: at + 1, of: parts.length },
  }));
}

function partIn({ campaign, sealHash }: FinishedPart): Part {
  const { campaign_id, created_at, max_usd, suites, entrant_files, pins } = campaign;
  const money = max_usd === undefined ? {} : { max_usd };
  return { campaign_id, created_at, cpu: pins.cpu, ...money, suites, entrant_files, seal_hash: sealHash };
}

/** Sorts the parts; each has to be there once. */
function inOrderOfParts(parts: readonly FinishedPart[]): FinishedPart[] {
  const byIndex = new Map<number, FinishedPart>();
  const sizes = new Map<number, string>();
  for (const part of parts) {
    const { shard } = part.campaign;
    if (shard === undefined) throw new CampaignError(fact('not_a_part', { name: part.name }));
    const other = byIndex.get(shard.index);
    if (other !== undefined && other.campaign.shard?.of === shard.of) {
      throw new CampaignError(fact('part_twice', { first: other.name, second: part.name, ...shard }));
    }
    byIndex.set(shard.index, part);
    sizes.set(shard.of, part.name);
  }
  const [[of = 0, one] = [], other] = sizes;
  if (other !== undefined) {
    throw new CampaignError(fact('parts_of_two', { first: one ?? '', of, second: other[1], other: other[0] }));
  }
  const missing = Array.from({ length: of }, (_, at) => at + 1).filter((index) => !byIndex.has(index));
  if (missing.length > 0) {
    throw new CampaignError(fact('parts_missing', { parts: missing.map((index) => shardName({ index, of })) }));
  }
  return [...byIndex].toSorted(([a], [b]) => a - b).map(([, part]) => part);
}

function refuseOther(first: FinishedPart, other: FinishedPart): void {
  if (first.campaign.plan_hash !== other.campaign.plan_hash) {
    throw new CampaignError(fact('part_of_other_plan', { first: first.name, second: other.name }));
  }
  const [pins, others] = [pinsThatHaveToAgree(first), pinsThatHaveToAgree(other)];
  const changes = pinChanges(pins, others);
  if (changes.length === 0) return;
  const cause = causeOfChange(first.campaign.pins, other.campaign.pins);
  throw new CampaignError(
    fact('part_with_other_pins', { first: first.name, second: other.name, changes: changes.join('; '), cause }),
  );
}

/** All pins except the processor: no verdict rests on it, and each part keeps its own. */
function pinsThatHaveToAgree({ campaign: { pins } }: FinishedPart): Omit<Pins, 'cpu'> {
  const { cpu: _cpu, ...others } = pins;
  return others;
}
