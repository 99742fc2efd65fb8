import type { LedgerRecord } from '../bundle/ledger-record.ts';
import type { CampaignFile } from '../campaign/campaign-file.ts';
import { episodesOf } from '../campaign/plan.ts';
import { broken, type Finding } from './finding.ts';

/**
 * What is off about what a ledger tells, its chain being sound: it begins with the plan, written after the pins; attempts are
 * of the plan, start once, in the order of plan and attempts, and end once.
 */
export function ledgerFindings(records: readonly LedgerRecord[], campaign: CampaignFile): Finding[] {
  const [first, ...rest] = records;
  if (first === undefined) return [broken('ledger.jsonl', 'has no record, not even of the plan')];
  const reader = new LedgerReader(campaign);
  return [...planFindings(first, campaign), ...rest.flatMap((record) => reader.read(record))];
}

function planFindings(first: LedgerRecord, { plan_hash: hash, created_at: created, plan }: CampaignFile): Finding[] {
  if (first.kind !== 'planned') return [at(first, 'comes before the plan')];
  const findings: Finding[] = [];
  if (first.plan_hash !== hash) findings.push(at(first, 'plan_hash is not that of campaign.json'));
  if (first.episodes !== episodesOf(plan).length) findings.push(at(first, 'episodes is not how many the plan has'));
  if (Date.parse(first.at) < Date.parse(created)) {
    findings.push(at(first, 'is older than campaign.json: the pins were not there before the first episode'));
  }
  return findings;
}

/** Follows the attempts through the ledger. */
class LedgerReader {
  readonly #places: ReadonlyMap<string, number>;
  /** Number of the last attempt of each episode. */
  readonly #attempts = new Map<string, number>();
  readonly #open = new Set<string>();
  readonly #ended = new Set<string>();
  readonly #runIds = new Set<string>();
  #place = 0;

  constructor({ plan }: CampaignFile) {
    this.#places = new Map(episodesOf(plan).map(({ episodeId, planIndex }) => [episodeId, planIndex]));
  }

  read(record: LedgerRecord): Finding[] {
    if (record.kind === 'planned') return [at(record, 'is a second plan')];
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
    if (this.#ended.has(name)) return [at(record, `attempt ${name} ended before`)];
    if (!this.#open.has(name)) return [at(record, `attempt ${name} was never started`)];
    this.#ended.add(name);
    return [];
  }
}

function at({ seq }: LedgerRecord, problem: string): Finding {
  return broken(`ledger.jsonl:${seq}`, problem);
}
