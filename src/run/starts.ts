import { availableParallelism, loadavg } from 'node:os';
import type { Concurrency } from '../bundle/row-words.ts';
import type { Ledger } from '../bundle/ledger.ts';
import type { PlannedEpisode } from '../plan/plan.ts';
import { type Attempt, runIdOf } from '../row/attempt.ts';

/** An attempt that has begun, as the ledger has it. */
export type Started = Pick<Attempt, 'startedAt' | 'executedIndex' | 'concurrency'>;

/** Tells the ledger of attempts as they begin, whichever worker begins them. */
export class Starts {
  readonly #ledger: Ledger;
  readonly #workers: number;
  readonly #areHere: boolean;
  /** Number of attempts started so far, and the time of the last start. */
  #count: number;
  #last = 0;

  /**
   * @param workers most attempts that will run at once
   * @param areHere whether this machine runs them
   */
  constructor(ledger: Ledger, workers: number, areHere = true) {
    this.#ledger = ledger;
    this.#workers = workers;
    this.#areHere = areHere;
    this.#count = ledger.before.filter(({ kind }) => kind === 'started').length;
  }

  /** @param allowanceUsd the most that an attempt may spend that another process runs */
  async begin(episode: PlannedEpisode, attempt: number, allowanceUsd?: number): Promise<Started> {
    // Names of attempts hold the time: no two begin in the same millisecond.
    this.#last = Math.max(Date.now(), this.#last + 1);
    const startedAt = new Date(this.#last);
    const beside = this.#workers === 1 ? {} : { concurrency: concurrencyOf(this.#workers, this.#areHere) };
    const executedIndex = this.#count;
    this.#count += 1;
    const run_id = runIdOf(episode, startedAt);
    const allowance = allowanceUsd === undefined ? {} : { allowance_usd: allowanceUsd };
    const named = { episode_id: episode.episodeId, attempt, run_id };
    await this.#ledger.append({ kind: 'started', ...named, ...beside, ...allowance });
    return { startedAt, executedIndex, ...beside };
  }
}

function concurrencyOf(workers: number, isHere: boolean): Concurrency {
  if (!isHere) return { workers, load_average: null, cores: null };
  const [average = 0] = loadavg();
  return { workers, load_average: Math.round(average * 100) / 100, cores: availableParallelism() };
}
