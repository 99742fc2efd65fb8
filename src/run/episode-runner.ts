import { type SealedRow, sealRow } from '../bundle/sealed-rows.ts';
import { fact } from '../messages/messages.ts';
import { CampaignError } from '../plan/error.ts';
import type { PlannedEpisode } from '../plan/plan.ts';
import { type Attempt, runIdOf } from '../row/attempt.ts';
import { rowOf } from '../row/row-of.ts';
import { taskName } from '../task/instance.ts';
import type { Recorded } from '../row/recorded.ts';
import type { Running } from './campaign.ts';
import type { Pause } from './provider-watch.ts';
import { availableParallelism, loadavg } from 'node:os';
import type { Concurrency } from '../bundle/row-words.ts';
import type { Ledger } from '../bundle/ledger.ts';

/** An attempt without a usable result, such as one whose worker is gone. */
export interface Lost {
  lost: string;
}

/** @param allowanceUsd the most that the attempt may spend, if another process runs it */
export type Begin = (allowanceUsd?: number) => Promise<Started>;

/** Runs single attempts of episodes, here or on other machines, and leaves their records in the bundle. */
export interface AttemptRunner {
  /**
   * @param begin records in the ledger that the attempt begins; an attempt that does not call it has not begun
   * @returns a pause if the campaign's money does not cover the attempt, which has not begun then
   */
  run(episode: PlannedEpisode, attempt: number, begin: Begin): Promise<Recorded | Lost | Pause>;
}

/** The attempts of an episode in earlier runs. */
export interface EarlierAttempts {
  started: number;
  infraErrors: number;
  /** Those that were interrupted from outside the entrant. */
  interruptions: number;
}

type AttemptNumber = Pick<Attempt, 'attempt' | 'errorsBefore' | 'interruptionsBefore'>;

type LostAttempt = Lost & { hasBegun: boolean };

/** Most attempts in a row that may be lost: an episode that ends each of its workers must not run forever. */
const MAX_LOST = 10;

/** Runs episodes one at a time, and seals their rows. */
export class EpisodeRunner {
  readonly #attempts: AttemptRunner;
  readonly #running: Running;
  #announced: PlannedEpisode | null = null;

  constructor(attempts: AttemptRunner, running: Running) {
    this.#attempts = attempts;
    this.#running = running;
  }

  /**
   * Attempts an episode until an attempt counts. After infrastructure errors there are as many as planned; interruptions from
   * outside the entrant and lost workers are not counted.
   * @returns a pause if this or another episode calls for one; null if the signal fired before the episode began
   * @throws CampaignError when every worker that takes it is lost
   */
  async run(episode: PlannedEpisode, earlier: EarlierAttempts): Promise<SealedRow | Pause | null> {
    const { listener, watch, signal } = this.#running;
    let { started, infraErrors, interruptions } = earlier;
    for (let lost = 0; ;) {
      if (watch.pause !== null) return watch.pause;
      const before = { errorsBefore: infraErrors, interruptionsBefore: interruptions };
      const outcome = await this.#attempt(episode, { attempt: started + 1, ...before });
      if ('lost' in outcome) {
        if (outcome.hasBegun) started += 1;
        if (watch.pause !== null) return watch.pause;
        if (signal.aborted) return null;
        lost += 1;
        if (lost === MAX_LOST) throw lostForGood(episode, outcome);
        listener.interrupted?.(episode, outcome.lost);
        continue;
      }
      started += 1;
      lost = 0;
      if ('cause' in outcome) {
        interruptions += 1;
        const pause = watch.failed(outcome);
        if (pause !== null) return pause;
        listener.interrupted?.(episode, outcome.why);
        continue;
      }
      const { row } = outcome;
      if (row.turns !== null) watch.answered();
      if (row.counts) {
        await listener.finished?.(row);
        return outcome;
      }
      infraErrors += 1;
    }
  }

  /** Runs an attempt and seals its row; voids it if it was lost or interrupted from outside the entrant. */
  async #attempt(episode: PlannedEpisode, number: AttemptNumber): Promise<SealedRow | Pause | LostAttempt> {
    const { layout, ledger, starts, campaign } = this.#running;
    const named = { episode_id: episode.episodeId, attempt: number.attempt };
    const begun: Started[] = [];
    const recorded = await this.#attempts.run(episode, number.attempt, async (allowanceUsd) => {
      this.#noteStarted(episode);
      const started = await starts.begin(episode, number.attempt, allowanceUsd);
      begun.push(started);
      return started;
    });
    const [started] = begun;
    if ('cause' in recorded) return recorded;
    if ('lost' in recorded) {
      if (started !== undefined) await ledger.append({ kind: 'voided', ...named, why: recorded.lost });
      return { ...recorded, hasBegun: started !== undefined };
    }
    if (started === undefined) throw new Error('an attempt was recorded that has not begun');
    const { interrupted, stop } = recorded.last;
    if (interrupted !== undefined && stop?.stop === 'infra_error') {
      const { cause, why } = interrupted;
      await ledger.append({ kind: 'voided', ...named, why, interruption: cause });
      return { cause, why };
    }
    const row = rowOf({ campaign, episode, ...number, ...started }, recorded);
    const sealHash = await sealRow(layout.attempt(episode.episodeId, number.attempt), row);
    await ledger.append({ kind: 'sealed', ...named, seal_hash: sealHash });
    return { row, sealHash };
  }

  /** Reports the start of an episode once, however many attempts it has. */
  #noteStarted(episode: PlannedEpisode): void {
    if (this.#announced === episode) return;
    this.#announced = episode;
    this.#running.listener.started?.(episode);
  }
}

function lostForGood({ planned, agent, surface }: PlannedEpisode, { lost }: Lost): CampaignError {
  const task = taskName(planned.task);
  return new CampaignError(fact('attempt_lost', { task, agent, surface, times: MAX_LOST, why: lost }));
}

export type Started = Pick<Attempt, 'startedAt' | 'executedIndex' | 'concurrency'>;

/** Records the starts of attempts of all workers in the ledger. */
export class Starts {
  readonly #ledger: Ledger;
  /** Most attempts that run at once. */
  readonly workers: number;
  readonly #areLocal: boolean;
  /** Attempts started so far, and the time of the last start. */
  #count: number;
  #last = 0;

  /** @param areLocal whether the workers are on this machine */
  constructor(ledger: Ledger, workers: number, areLocal = true) {
    this.#ledger = ledger;
    this.workers = workers;
    this.#areLocal = areLocal;
    this.#count = ledger.before.filter(({ kind }) => kind === 'started').length;
  }

  async begin(episode: PlannedEpisode, attempt: number, allowanceUsd?: number): Promise<Started> {
    // Run ids hold the time, so no two attempts may begin in the same millisecond.
    this.#last = Math.max(Date.now(), this.#last + 1);
    const startedAt = new Date(this.#last);
    const concurrent = this.workers === 1 ? {} : { concurrency: concurrencyOf(this.workers, this.#areLocal) };
    const executedIndex = this.#count;
    this.#count += 1;
    const run_id = runIdOf(episode, startedAt);
    const allowance = allowanceUsd === undefined ? {} : { allowance_usd: allowanceUsd };
    const named = { episode_id: episode.episodeId, attempt, run_id };
    await this.#ledger.append({ kind: 'started', ...named, ...concurrent, ...allowance });
    return { startedAt, executedIndex, ...concurrent };
  }
}

function concurrencyOf(workers: number, areLocal: boolean): Concurrency {
  if (!areLocal) return { workers, load_average: null, cores: null };
  const [average = 0] = loadavg();
  return { workers, load_average: Math.round(average * 100) / 100, cores: availableParallelism() };
}
