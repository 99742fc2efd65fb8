import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';
import type { LedgerRecord } from '../bundle/ledger-record.ts';
import { type CampaignFile, campaignText } from '../plan/campaign-file.ts';
import { campaignsOfParts } from '../plan/parts.ts';
import { type PlannedEpisodes, episodeCountIn, isOfShard } from '../plan/part-of-plan.ts';
import { fileProblem, type BundleProblem } from './finding.ts';
import { campaignSealHash } from '../bundle/campaign-seal.ts';
import { PartChains } from '../bundle/merged-ledger.ts';
import { shardName } from '../plan/shard.ts';

/**
 * Checks a ledger whose chain is sound: it begins with the plan, written after the pins; attempts are of the plan, start once, in
 * the order of plan and attempts, with no more at once than they state, and end once. Checks each part of a merged ledger.
 */
export async function* ledgerFindings(
  records: AsyncIterable<LedgerRecord>,
  campaign: CampaignFile,
  episodes: PlannedEpisodes,
): AsyncGenerator<BundleProblem> {
  const parts = campaignsOfParts(campaign);
  const readers = (parts.length === 0 ? [campaign] : parts).map((each) => new LedgerReader(each, episodes));
  for await (const record of records) {
    if ((record.part === undefined) !== (parts.length === 0)) {
      yield at(record, fact(record.part === undefined ? 'ledger_no_part' : 'ledger_part_of_none'));
      continue;
    }
    const reader = readers[(record.part ?? 1) - 1];
    if (reader === undefined) yield at(record, fact('ledger_unknown_part', { part: record.part ?? 1 }));
    else yield* reader.read(record);
  }
  if (readers.some(({ hasBegun }) => !hasBegun)) yield fileProblem('ledger.jsonl', fact('ledger_no_plan'));
}

function planFindings(first: LedgerRecord, campaign: CampaignFile): BundleProblem[] {
  const { plan_hash: hash, created_at: created } = campaign;
  if (first.kind !== 'planned') return [at(first, fact('ledger_before_plan'))];
  const findings: BundleProblem[] = [];
  if (first.plan_hash !== hash) findings.push(at(first, fact('ledger_other_plan')));
  if (first.episodes !== episodeCountIn(campaign)) findings.push(at(first, fact('ledger_other_count')));
  if (Date.parse(first.at) < Date.parse(created)) {
    findings.push(at(first, fact('ledger_before_campaign')));
  }
  return findings;
}

/** Follows the attempts through the ledger, and forgets those that have ended except for their number. */
class LedgerReader {
  readonly #campaign: CampaignFile;
  readonly #episodes: PlannedEpisodes;
  readonly #attempts = new Map<string, number>();
  /** Open attempts, and how many they state may run at once. */
  readonly #open = new Map<string, number>();
  /** Episodes whose last attempt ran with others, so that later episodes may begin before the next one. */
  readonly #concurrent = new Set<string>();
  readonly #runIds = new Set<string>();
  #place = 0;
  #hasBegun = false;

  constructor(campaign: CampaignFile, episodes: PlannedEpisodes) {
    this.#campaign = campaign;
    this.#episodes = episodes;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  read(record: LedgerRecord): BundleProblem[] {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      return planFindings(record, this.#campaign);
    }
    if (record.kind === 'planned') return [at(record, fact('ledger_second_plan'))];
    if (record.kind === 'paused') return [];
    const episode = this.#episodes.byId(record.episode_id);
    if (episode === null) return [at(record, fact('ledger_unplanned', { episode: record.episode_id }))];
    if (!isOfShard(episode, this.#campaign))
      return [at(record, fact('ledger_other_part', { episode: record.episode_id }))];
    return record.kind === 'started' ? this.#start(record, episode.planIndex) : this.#end(record);
  }

  #start(record: Extract<LedgerRecord, { kind: 'started' }>, place: number): BundleProblem[] {
    const { episode_id: id, attempt, run_id: runId, concurrency } = record;
    const findings: BundleProblem[] = [];
    const before = this.#attempts.get(id) ?? 0;
    if (attempt !== before + 1) findings.push(at(record, fact('ledger_attempt_skipped', { attempt, before })));
    const isAgain = attempt > 1 && this.#concurrent.has(id);
    if (place < this.#place && !isAgain) findings.push(at(record, fact('ledger_plan_order')));
    const open = this.#open.size + 1;
    const workers = Math.min(concurrency?.workers ?? 1, ...this.#open.values());
    if (open > workers) findings.push(at(record, fact('ledger_too_many_at_once', { open, most: workers })));
    if (this.#runIds.has(runId)) findings.push(at(record, fact('ledger_run_id_twice', { run: runId })));
    this.#place = Math.max(this.#place, place);
    this.#attempts.set(id, attempt);
    this.#runIds.add(runId);
    this.#open.set(`${id}/${attempt}`, concurrency?.workers ?? 1);
    if (concurrency === undefined) this.#concurrent.delete(id);
    else this.#concurrent.add(id);
    return findings;
  }

  #end(record: Extract<LedgerRecord, { kind: 'sealed' | 'voided' }>): BundleProblem[] {
    const name = `${record.episode_id}/${record.attempt}`;
    if (this.#open.delete(name)) return [];
    const hasEnded = record.attempt <= (this.#attempts.get(record.episode_id) ?? 0);
    return [at(record, fact(hasEnded ? 'ledger_ended_before' : 'ledger_not_started', { attempt: name }))];
  }
}

function at({ seq }: LedgerRecord, problem: Fact): BundleProblem {
  return fileProblem(`ledger.jsonl:${seq}`, problem);
}

/** The seal of a counted attempt, and its episode's place in the plan. */
export interface CountedSeal {
  place: number;
  hash: string;
}

/**
 * Makes the seal of each part of a merged bundle again, from its chain of records, its `campaign.json` and its counted attempts, and
 * yields the parts that have another seal in `campaign.json`. So no part can lose, gain or change a record.
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
  for (const [index, part] of campaignsOfParts(campaign).entries()) {
    const own = counted.filter(({ place }) => isOfShard({ planIndex: place }, part)).map(({ hash }) => hash);
    const seal = campaignSealHash(campaignText(part), chains.headOf(index + 1), own);
    if (seal === parts[index]?.seal_hash) continue;
    const name = shardName({ index: index + 1, of: parts.length });
    yield fileProblem('campaign.json', fact('part_differs', { part: name }));
  }
}
