import { stripVTControlCharacters } from 'node:util';
import type { Row } from '../../bundle/row.ts';
import type { EpisodeEvent } from '../../episode/events.ts';
import type { PlannedEpisode } from '../../plan/plan.ts';
import type { AskedFirst } from '../../run/ask-first.ts';
import type { CampaignListener } from '../../run/listener.ts';
import { instanceName } from '../../task/instance.ts';
import type { Terminal } from '../terminal.ts';
import type { CampaignProgress, ProgressListener } from './progress.ts';
import type { RunEvent } from './run-event.ts';

/** Time between two `progress` events, in ms. */
const PROGRESS_EVERY = 10_000;

/** A terminal in which what is said in words is an event, as all else is. */
export function inEvents(terminal: Terminal): Terminal {
  const { screen: _, ...plain } = terminal;
  return {
    ...plain,
    note: (text) => {
      tell(terminal, { event: 'note', ...at(), text: stripVTControlCharacters(text).trim() });
    },
  };
}

/** Tells how a campaign goes, a JSON object a line. */
export class EventLines implements CampaignListener {
  readonly #terminal: Terminal;
  readonly #progress: ProgressListener;
  readonly #verbose: boolean;

  /** @param progress has heard each event before this one. */
  constructor(terminal: Terminal, progress: ProgressListener, { verbose }: { verbose: boolean }) {
    this.#terminal = terminal;
    this.#progress = progress;
    this.#verbose = verbose;
  }

  phase(phase: string): void {
    this.#tell({ event: 'phase', ...at(), phase });
  }

  planned(total: number, done: number, workers: number): void {
    this.#tell({ event: 'planned', ...at(), total, done, workers });
  }

  askedFirst({ agent, modelId, calledTool, usd }: AskedFirst): void {
    this.#tell({ event: 'asked_first', ...at(), agent, model_id: modelId, called_tool: calledTool, usd });
  }

  started(episode: PlannedEpisode): void {
    const worker = this.#progress.workerOf(episode) ?? 1;
    this.#tell({ event: 'started', ...at(), ...named(episode), worker });
  }

  event({ episodeId }: PlannedEpisode, detail: EpisodeEvent): void {
    if (this.#verbose) this.#tell({ event: 'episode_event', ...at(), episode_id: episodeId, detail });
  }

  interrupted(episode: PlannedEpisode, why: string): void {
    this.#tell({ event: 'interrupted', ...at(), ...named(episode), why });
  }

  worldNotClosed(_episode: PlannedEpisode, why: string): void {
    this.#tell({ event: 'note', ...at(), text: why });
  }

  finished(row: Row): void {
    const { episode_id, suite, task, instance, iteration, agent, surface } = row;
    const { status, failure_category, steps, wall_ms, cost_usd } = row;
    const which = { episode_id, suite, task, instance, iteration, agent, surface };
    this.#tell({ event: 'finished', ...at(), ...which, status, failure_category, steps, wall_ms, cost_usd });
  }

  /**
   * Begins to tell the progress now and then.
   * @returns what ends it with a last one
   */
  tellProgress(): () => void {
    const progress = (): void => {
      this.#tell({ event: 'progress', ...at(), ...progressEvent(this.#progress.progress) });
    };
    const timer = setInterval(progress, PROGRESS_EVERY);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      clearInterval(timer);
      progress();
    };
  }

  #tell(event: RunEvent): void {
    tell(this.#terminal, event);
  }
}

function tell(terminal: Terminal, event: RunEvent): void {
  terminal.note(JSON.stringify(event));
}

function at(): { at: string } {
  return { at: new Date().toISOString() };
}

function named({ episodeId, planned: { suite, task }, iteration, agent, surface }: PlannedEpisode) {
  const instance = instanceName(task);
  return { episode_id: episodeId, suite, task: task.id, instance, iteration, agent, surface };
}

function progressEvent(progress: CampaignProgress): Omit<Extract<RunEvent, { event: 'progress' }>, 'event' | 'at'> {
  const { total, done, workers, success, perMinute, leftMs, usd, unpricedTokens, atWork } = progress;
  return {
    total,
    done,
    workers,
    passed: success.successes,
    of: success.trials,
    low: success.interval?.low ?? null,
    high: success.interval?.high ?? null,
    per_minute: perMinute,
    left_ms: leftMs,
    usd,
    unpriced_tokens: unpricedTokens,
    at_work: atWork.map(({ worker, task, agent, surface, doing, sinceMs }) => ({
      worker,
      task,
      agent,
      surface,
      doing: doing.words,
      since_ms: sinceMs,
    })),
  };
}
