import type { LedgerRecord } from '../bundle/ledger-record.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { episodeCount } from '../plan/plan.ts';
import { broken, type Finding } from './finding.ts';

/**
 * What is off about what a ledger tells, its chain being sound: it begins with the plan, written after the pins; attempts are
 * of the plan, start once, in the order of plan and attempts, and end once.
 * @param places of the planned episodes, by id
 */
export async function* ledgerFindings(
  records: AsyncIterable<LedgerRecord>,
  campaign: CampaignFile,
  places: ReadonlyMap<string, number>,
): AsyncGenerator<Finding> {
  let reader: LedgerReader | null = null;
  for await (const record of records) {
    if (reader === null) {
      yield* planFindings(record, campaign);
      reader = new LedgerReader(places);
    } else yield* reader.read(record);
  }
  if (reader === null) yield broken('ledger.jsonl', 'has no record, not even of the plan');
}

function planFindings(first: LedgerRecord, { plan_hash: hash, created_at: created, plan }: CampaignFile): Finding[] {
  if (first.kind !== 'planned') return [at(first, 'comes before the plan')];
  const findings: Finding[] = [];
  if (first.plan_hash !== hash) findings.push(at(first, 'plan_hash is not that of campaign.json'));
  if (first.episodes !== episodeCount(plan)) findings.push(at(first, 'episodes is not how many the plan has'));
  if (Date.parse(first.at) < Date.parse(created)) {
    findings.push(at(first, 'is older than campaign.json: the pins were not there before the first episode'));
  }
  return findings;
}

/** Follows the attempts through the ledger. What has ended is no longer held, but for how many there were. */
class LedgerReader {
  readonly #places: ReadonlyMap<string, number>;
  /** Number of the last attempt of each episode. */
  readonly #attempts = new Map<string, number>();
  readonly #open = new Set<string>();
  readonly #runIds = new Set<string>();
  #place = 0;

  constructor(places: ReadonlyMap<string, number>) {
    this.#places = places;
  }

  read(record: LedgerRecord): Finding[] {
    if (record.kind === 'planned') return [at(record, 'is a second plan')];
    if (record.kind === 'paused') return [];
    const place = this.#places.get(record.episode_id);
    if (place === undefined) return [at(record, `episode ${record.episode_id} is not in the plan`)];
    return record.kind === 'started' ? this.#start(record, place) : this.#end(record);
  }

  #start(record: Extract<LedgerRecord, { kind: 'started' }>, place: number): Finding[] {
    const { episode_id: id, attempt, run_id: runId } = record;
    const findings: Finding[] = [];
    const before = this.#attempts.get(id) ?? 0;
    if (attempt !== before + 1) findings.push(at(record, `starts attempt ${attempt} after attempt ${before}`));
    if (place < this.#place) findings.push(at(record, 'starts an episode that comes earlier in the plan'));
    if (this.#runIds.has(runId)) findings.push(at(record, `run_id ${runId} was there before`));
    this.#place = Math.max(this.#place, place);
    this.#attempts.set(id, attempt);
    this.#runIds.add(runId);
    this.#open.add(`${id}/${attempt}`);
    return findings;
  }

  #end(record: Extract<LedgerRecord, { kind: 'sealed' | 'voided' }>): Finding[] {
    const name = `${record.episode_id}/${record.attempt}`;
    if (this.#open.delete(name)) return [];
    const hasEnded = record.attempt <= (this.#attempts.get(record.episode_id) ?? 0);
    return [at(record, `attempt ${name} ${hasEnded ? 'ended before' : 'was never started'}`)];
  }
}

function at({ seq }: LedgerRecord, problem: string): Finding {
  return broken(`ledger.jsonl:${seq}`, problem);
}
