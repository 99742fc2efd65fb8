import type { Row } from '../../bundle/row.ts';
import { type JudgedRow, clusterIn } from '../../claim/group.ts';
import { ran } from '../../claim/honesty.ts';
import { hasPassed } from '../../claim/success.ts';
import type { EpisodeEvent } from '../../episode/events.ts';
import type { PlannedEpisode } from '../../plan/plan.ts';
import type { AskedFirst } from '../../run/provider-watch.ts';
import type { CampaignListener } from '../../run/campaign.ts';
import { clusteredProportion, type ClusteredProportion } from '../../stats/proportion.ts';
import { taskName } from '../../task/instance.ts';
import { BEGINS, type Doing, doingAfter } from '../../viewer/event-words.ts';

/** An episode that is under way. */
interface AtWork {
  /** The lowest number from 1 that was free when it began. */
  worker: number;
  task: string;
  iteration: number;
  agent: string;
  surface: string;
  doing: Doing;
  sinceMs: number;
}

export interface CampaignProgress {
  /** The work before the first episode or after the last; null in between. */
  phase: string | null;
  /** Time since that work began. */
  phaseMs: number;
  total: number;
  done: number;
  workers: number;
  iterations: number;
  /** Over all episodes except those of controls, clustered by task, as in reports. */
  success: ClusteredProportion;
  /** Episodes per minute in this run; null until one is done. */
  perMinute: number | null;
  /** At that pace; 0 if it takes longer. */
  leftMs: number | null;
  /** Spent at known prices; null if no model with one was asked. */
  usd: number | null;
  /** Tokens of models that are billed at unknown prices. */
  unpricedTokens: number;
  /** In the order of their workers. */
  atWork: AtWork[];
}

type UnderWay = Omit<AtWork, 'sinceMs'> & { begunMs: number };

export class ProgressListener implements CampaignListener {
  readonly #now: () => number;
  readonly #iterations: number;
  readonly #isBilled: (agent: string) => boolean;
  readonly #tallies = new Map<string, { judged: JudgedRow; successes: number; trials: number }>();
  readonly #atWork = new Map<string, UnderWay>();
  #phaseBegunMs: number;
  #phase: string | null = 'reading what is to be run';
  #total = 0;
  #done = 0;
  #workers = 1;
  #doneHere = 0;
  #firstMs: number | null = null;
  /** The end of the last episode. */
  #lastMs = 0;
  #usd: number | null = null;
  #unpricedTokens = 0;

  constructor(
    { iterations, isBilled }: { iterations: number; isBilled: (agent: string) => boolean },
    now: () => number = () => performance.now(),
  ) {
    this.#iterations = iterations;
    this.#isBilled = isBilled;
    this.#now = now;
    this.#phaseBegunMs = now();
  }

  phase(what: string): void {
    this.#phase = what;
    this.#phaseBegunMs = this.#now();
  }

  earlier(row: Row): void {
    this.#count(row);
    if (this.#isBilled(row.agent)) this.#spend(row.cost_usd, (row.tokens_in ?? 0) + (row.tokens_out ?? 0));
  }

  planned(total: number, done: number, workers: number): void {
    this.#total = total;
    this.#done = done;
    this.#workers = workers;
    this.phase(workers === 1 ? 'making ready' : `making ${workers} workers ready`);
  }

  askedFirst({ agent, usd }: AskedFirst): void {
    if (usd !== null && this.#isBilled(agent)) this.#spend(usd, 0);
  }

  started({ episodeId, planned, agent, surface, iteration }: PlannedEpisode): void {
    const now = this.#now();
    this.#firstMs ??= now;
    this.#phase = null;
    const taken = new Set([...this.#atWork.values()].map(({ worker }) => worker));
    let worker = 1;
    while (taken.has(worker)) worker += 1;
    const task = taskName(planned.task);
    this.#atWork.set(episodeId, { worker, task, iteration, agent, surface, doing: BEGINS, begunMs: now });
  }

  event({ episodeId, agent }: PlannedEpisode, event: EpisodeEvent): void {
    const underWay = this.#atWork.get(episodeId);
    if (underWay !== undefined) underWay.doing = doingAfter(event) ?? underWay.doing;
    if (event.type !== 'turn_ended' || !this.#isBilled(agent)) return;
    this.#spend(event.cost_usd, (event.tokens_in ?? 0) + (event.tokens_out ?? 0));
  }

  finished(row: Row): void {
    this.#atWork.delete(row.episode_id);
    this.#done += 1;
    this.#doneHere += 1;
    this.#lastMs = this.#now();
    this.#count(row);
  }

  workerOf({ episodeId }: PlannedEpisode): number | null {
    return this.#atWork.get(episodeId)?.worker ?? null;
  }

  get progress(): CampaignProgress {
    const now = this.#now();
    // The pace is measured only when an episode ends; until then the remaining time runs down.
    const tookMs = this.#firstMs === null || this.#doneHere === 0 ? null : this.#lastMs - this.#firstMs;
    const eachMs = tookMs === null ? null : tookMs / this.#doneHere;
    return {
      phase: this.#phase,
      phaseMs: now - this.#phaseBegunMs,
      total: this.#total,
      done: this.#done,
      workers: this.#workers,
      iterations: this.#iterations,
      success: this.#success(),
      perMinute: eachMs === null || eachMs === 0 ? null : 60_000 / eachMs,
      leftMs: eachMs === null ? null : Math.max(0, eachMs * (this.#total - this.#done) - (now - this.#lastMs)),
      usd: this.#usd,
      unpricedTokens: this.#unpricedTokens,
      atWork: [...this.#atWork.values()]
        .map(({ begunMs, ...each }) => ({ ...each, sinceMs: now - begunMs }))
        .toSorted((one, other) => one.worker - other.worker),
    };
  }

  #spend(usd: number | null, tokens: number): void {
    if (usd === null) this.#unpricedTokens += tokens;
    else this.#usd = (this.#usd ?? 0) + usd;
  }

  /** Adds a row to the tally of its task; rows are not kept, since there may be a million. */
  #count(row: Row): void {
    if (!ran(row) || row.decider === 'control') return;
    const { suite, task, contract_hash } = row;
    const key = JSON.stringify([suite, task, contract_hash]);
    const tally = this.#tallies.get(key) ?? { judged: { suite, task, contract_hash }, successes: 0, trials: 0 };
    tally.trials += 1;
    if (hasPassed(row)) tally.successes += 1;
    this.#tallies.set(key, tally);
  }

  #success(): ClusteredProportion {
    const tallies = [...this.#tallies.values()];
    const nameOf = clusterIn(tallies.map(({ judged }) => judged));
    const clusters = new Map<string, { successes: number; trials: number }>();
    for (const { judged, successes, trials } of tallies) {
      const name = nameOf(judged);
      const before = clusters.get(name) ?? { successes: 0, trials: 0 };
      clusters.set(name, { successes: before.successes + successes, trials: before.trials + trials });
    }
    return clusteredProportion([...clusters.values()]);
  }
}
