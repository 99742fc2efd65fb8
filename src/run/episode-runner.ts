import type { BundleLayout } from '../bundle/layout.ts';
import type { Ledger } from '../bundle/ledger.ts';
import { type SealedRow, sealRow } from '../bundle/sealed-rows.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { CampaignError } from '../plan/error.ts';
import type { PlannedEpisode } from '../plan/plan.ts';
import type { Attempt } from '../row/attempt.ts';
import { rowOf } from '../row/row-of.ts';
import { taskName } from '../task/instance.ts';
import type { AttemptRunner, Lost } from './attempt-runner.ts';
import type { CampaignListener } from './listener.ts';
import type { Pause, ProviderWatch } from './provider-watch.ts';
import type { Started, Starts } from './starts.ts';

export interface RunnerOptions {
  campaign: CampaignFile;
  /** Where attempts are run. */
  attempts: AttemptRunner;
  layout: BundleLayout;
  ledger: Ledger;
  starts: Starts;
  watch: ProviderWatch;
  listener: CampaignListener;
  /** Fires when nothing is to begin any more. */
  signal: AbortSignal;
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
  readonly #options: RunnerOptions;
  /** The episode whose beginning the listener was told of last. */
  #announced: PlannedEpisode | null = null;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /**
   * Attempts an episode until one counts: another after an infrastructure error, at most as many as planned, and after an
   * interruption from outside the entrant, or a loss of whoever ran it, which is none of its attempts.
   * @returns the pause that interruptions call for, its own or another's: nothing begins any more then; null where it was
   * stopped before it had begun
   * @throws CampaignError where it is lost wherever it is run
   */
  async run(episode: PlannedEpisode, earlier: EarlierAttempts): Promise<SealedRow | Pause | null> {
    const { listener, watch, signal } = this.#options;
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

  /** An attempt that was interrupted from outside its entrant, or lost, is judged by nobody: it is voided, and nothing is sealed. */
  async #attempt(episode: PlannedEpisode, number: AttemptNumber): Promise<SealedRow | Pause | LostAttempt> {
    const { attempts, layout, ledger, starts, campaign } = this.#options;
    const named = { episode_id: episode.episodeId, attempt: number.attempt };
    const begun: Started[] = [];
    const recorded = await attempts.run(episode, number.attempt, async (allowanceUsd) => {
      this.#tellStarted(episode);
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
    if (started === undefined) throw new Error('an attempt was recorded that nobody has begun');
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

  /** An episode may wait for somebody to run it, and begins but once, whatever becomes of its attempts. */
  #tellStarted(episode: PlannedEpisode): void {
    if (this.#announced === episode) return;
    this.#announced = episode;
    this.#options.listener.started?.(episode);
  }
}

function lostForGood({ planned, agent, surface }: PlannedEpisode, { lost }: Lost): CampaignError {
  return new CampaignError(
    'infrastructure',
    `${taskName(planned.task)} by ${agent} through ${surface} was lost ${MOST_LOST} times in a row, the last time so: ${lost}`,
    'look at what its workers print; what is finished stays, and --resume runs the rest',
  );
}
