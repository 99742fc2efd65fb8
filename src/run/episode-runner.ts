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

/** An attempt that left no result: its worker is gone, or what it returned is of no use. */
export interface Lost {
  lost: string;
}

/** @param allowanceUsd the most that the attempt may spend, if another process runs it */
export type Begin = (allowanceUsd?: number) => Promise<Started>;

/** Runs single attempts of episodes, here or elsewhere. Their records are in their folders of the bundle then. */
export interface AttemptRunner {
  /**
   * @param begin writes to the ledger that the attempt begins; if it is never called, the attempt has not begun
   * @returns a pause if the money of the campaign does not cover the attempt: it has not begun
   */
  run(episode: PlannedEpisode, attempt: number, begin: Begin): Promise<Recorded | Lost | Pause>;
}

/** Attempts that an episode has had already, in runs that were ended early. */
export interface EarlierAttempts {
  started: number;
  infraErrors: number;
  /** Those that were interrupted from outside their entrant. */
  interruptions: number;
}

/** Number of an attempt, and of those before it that do not count. */
type AttemptNumber = Pick<Attempt, 'attempt' | 'errorsBefore' | 'interruptionsBefore'>;

/** An attempt that was lost, and whether the ledger knows that it began. */
type LostAttempt = Lost & { hasBegun: boolean };

/** Most attempts of an episode in a row that may be lost: what ends every worker that takes it would be run for ever. */
const MOST_LOST = 10;

/** Runs single episodes of a campaign, one at a time, and seals what they leave. */
export class EpisodeRunner {
  readonly #attempts: AttemptRunner;
  readonly #running: Running;
  /** The episode that the listener saw start last. */
  #announced: PlannedEpisode | null = null;

  constructor(attempts: AttemptRunner, running: Running) {
    this.#attempts = attempts;
    this.#running = running;
  }

  /**
   * Attempts an episode until one counts: another after an infrastructure error, at most as many as planned, and after an
   * interruption from outside the entrant, or the loss of its worker, which do not count as its attempts.
   * @returns the pause that interruptions call for, its own or another's: nothing begins any more then; null where it was
   * stopped before it had begun
   * @throws CampaignError where it is lost wherever it is run
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
        if (lost === MOST_LOST) throw lostForGood(episode, outcome);
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

  /** Voids an attempt that was interrupted from outside its entrant, or lost: it is not judged, and nothing is sealed. */
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

  /** An episode may wait for a worker, and begins only once, however many attempts it has. */
  #noteStarted(episode: PlannedEpisode): void {
    if (this.#announced === episode) return;
    this.#announced = episode;
    this.#running.listener.started?.(episode);
  }
}

function lostForGood({ planned, agent, surface }: PlannedEpisode, { lost }: Lost): CampaignError {
  const task = taskName(planned.task);
  return new CampaignError(fact('attempt_lost', { task, agent, surface, times: MOST_LOST, why: lost }));
}

/** An attempt that has begun, as the ledger has it. */
export type Started = Pick<Attempt, 'startedAt' | 'executedIndex' | 'concurrency'>;

/** Writes attempts to the ledger as they begin, in any worker. */
export class Starts {
  readonly #ledger: Ledger;
  /** Most attempts that run at once. */
  readonly workers: number;
  readonly #areHere: boolean;
  /** Number of attempts started so far, and the time of the last start. */
  #count: number;
  #last = 0;

  /** @param areHere whether this machine runs them */
  constructor(ledger: Ledger, workers: number, areHere = true) {
    this.#ledger = ledger;
    this.workers = workers;
    this.#areHere = areHere;
    this.#count = ledger.before.filter(({ kind }) => kind === 'started').length;
  }

  /** @param allowanceUsd the most that an attempt may spend that another process runs */
  async begin(episode: PlannedEpisode, attempt: number, allowanceUsd?: number): Promise<Started> {
    // Names of attempts hold the time: no two begin in the same millisecond.
    this.#last = Math.max(Date.now(), this.#last + 1);
    const startedAt = new Date(this.#last);
    const concurrent = this.workers === 1 ? {} : { concurrency: concurrencyOf(this.workers, this.#areHere) };
    const executedIndex = this.#count;
    this.#count += 1;
    const run_id = runIdOf(episode, startedAt);
    const allowance = allowanceUsd === undefined ? {} : { allowance_usd: allowanceUsd };
    const named = { episode_id: episode.episodeId, attempt, run_id };
    await this.#ledger.append({ kind: 'started', ...named, ...concurrent, ...allowance });
    return { startedAt, executedIndex, ...concurrent };
  }
}

function concurrencyOf(workers: number, isHere: boolean): Concurrency {
  if (!isHere) return { workers, load_average: null, cores: null };
  const [average = 0] = loadavg();
  return { workers, load_average: Math.round(average * 100) / 100, cores: availableParallelism() };
}
