import type { LedgerRecord } from '../bundle/ledger-record.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { campaignsOfParts } from '../plan/parts.ts';
import type { PlannedEpisodes } from '../plan/planned-episodes.ts';
import { episodeCountIn, isOfShard } from '../plan/part-of-plan.ts';
import { fileProblem, type BundleProblem } from './finding.ts';

/**
 * Lists what is wrong in a ledger whose chain is sound: it begins with the plan, written after the pins; attempts are
 * of the plan, start once, in the order of plan and attempts, beside no more others than they say, and end once. In a merged
 * ledger all that is so of each part.
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
      yield at(record, record.part === undefined ? 'is of no part' : 'is of a part, and nothing was merged');
      continue;
    }
    const reader = readers[(record.part ?? 1) - 1];
    if (reader === undefined) yield at(record, `is of part ${record.part}, of which campaign.json says nothing`);
    else yield* reader.read(record);
  }
  if (readers.some(({ hasBegun }) => !hasBegun)) yield fileProblem('ledger.jsonl', 'has no record of the plan');
}

function planFindings(first: LedgerRecord, campaign: CampaignFile): BundleProblem[] {
  const { plan_hash: hash, created_at: created } = campaign;
  if (first.kind !== 'planned') return [at(first, 'comes before the plan')];
  const findings: BundleProblem[] = [];
  if (first.plan_hash !== hash) findings.push(at(first, 'plan_hash is not that of campaign.json'));
  if (first.episodes !== episodeCountIn(campaign)) findings.push(at(first, 'episodes is not how many the plan has'));
  if (Date.parse(first.at) < Date.parse(created)) {
    findings.push(at(first, 'is older than campaign.json: the pins were not there before the first episode'));
  }
  return findings;
}

/** Follows the attempts through the ledger. What has ended is no longer held, but for how many there were. */
class LedgerReader {
  readonly #campaign: CampaignFile;
  readonly #episodes: PlannedEpisodes;
  /** Number of the last attempt of each episode. */
  readonly #attempts = new Map<string, number>();
  /** Those under way, and how many they say may run at once. */
  readonly #open = new Map<string, number>();
  /** Episodes whose last attempt ran beside others: another comes when later episodes have begun. */
  readonly #beside = new Set<string>();
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
    if (record.kind === 'planned') return [at(record, 'is a second plan')];
    if (record.kind === 'paused') return [];
    const episode = this.#episodes.byId(record.episode_id);
    if (episode === null) return [at(record, `episode ${record.episode_id} is not in the plan`)];
    if (!isOfShard(episode, this.#campaign)) return [at(record, `episode ${record.episode_id} is of another part`)];
    return record.kind === 'started' ? this.#start(record, episode.planIndex) : this.#end(record);
  }

  #start(record: Extract<LedgerRecord, { kind: 'started' }>, place: number): BundleProblem[] {
    const { episode_id: id, attempt, run_id: runId, concurrency } = record;
    const findings: BundleProblem[] = [];
    const before = this.#attempts.get(id) ?? 0;
    if (attempt !== before + 1) findings.push(at(record, `starts attempt ${attempt} after attempt ${before}`));
    const isAgain = attempt > 1 && this.#beside.has(id);
    if (place < this.#place && !isAgain) findings.push(at(record, 'starts an episode that comes earlier in the plan'));
    const open = this.#open.size + 1;
    const workers = Math.min(concurrency?.workers ?? 1, ...this.#open.values());
    if (open > workers) findings.push(at(record, `is one of ${open} at once, and ${workers} is said to be the most`));
    if (this.#runIds.has(runId)) findings.push(at(record, `run_id ${runId} was there before`));
    this.#place = Math.max(this.#place, place);
    this.#attempts.set(id, attempt);
    this.#runIds.add(runId);
    this.#open.set(`${id}/${attempt}`, concurrency?.workers ?? 1);
    if (concurrency === undefined) this.#beside.delete(id);
    else this.#beside.add(id);
    return findings;
  }

  #end(record: Extract<LedgerRecord, { kind: 'sealed' | 'voided' }>): BundleProblem[] {
    const name = `${record.episode_id}/${record.attempt}`;
    if (this.#open.delete(name)) return [];
    const hasEnded = record.attempt <= (this.#attempts.get(record.episode_id) ?? 0);
    return [at(record, `attempt ${name} ${hasEnded ? 'ended before' : 'was never started'}`)];
  }
}

function at({ seq }: LedgerRecord, problem: string): BundleProblem {
  return fileProblem(`ledger.jsonl:${seq}`, problem);
}
