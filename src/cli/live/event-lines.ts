import { stripVTControlCharacters } from 'node:util';
import type { Row } from '../../bundle/row.ts';
import { EpisodeEvent } from '../../episode/events.ts';
import type { PlannedEpisode } from '../../plan/plan.ts';
import type { AskedFirst } from '../../run/provider-watch.ts';
import type { CampaignListener } from '../../run/campaign.ts';
import { instanceName } from '../../task/instance.ts';
import type { Terminal } from '../terminal.ts';
import type { CampaignProgress, ProgressListener } from './progress.ts';
import { z } from 'zod';
import { FailureCategory } from '../../bundle/row-words.ts';
import { Status } from '../../contract/status.ts';

/** Time between two `progress` events, in ms. */
const PROGRESS_EVERY = 10_000;

/** Makes a terminal whose notes are events, too. */
export function inEvents(terminal: Terminal): Terminal {
  const { screen: _, ...plain } = terminal;
  return {
    ...plain,
    note: (text) => {
      printEvent(terminal, { event: 'note', ...at(), text: stripVTControlCharacters(text).trim() });
    },
  };
}

export class EventLines implements CampaignListener {
  readonly #terminal: Terminal;
  readonly #progress: ProgressListener;
  readonly #verbose: boolean;

  /** @param progress receives each event first */
  constructor(terminal: Terminal, progress: ProgressListener, { verbose }: { verbose: boolean }) {
    this.#terminal = terminal;
    this.#progress = progress;
    this.#verbose = verbose;
  }

  phase(phase: string): void {
    this.#print({ event: 'phase', ...at(), phase });
  }

  planned(total: number, done: number, workers: number): void {
    this.#print({ event: 'planned', ...at(), total, done, workers });
  }

  askedFirst({ agent, modelId, calledTool, usd }: AskedFirst): void {
    this.#print({ event: 'asked_first', ...at(), agent, model_id: modelId, called_tool: calledTool, usd });
  }

  started(episode: PlannedEpisode): void {
    const worker = this.#progress.workerOf(episode) ?? 1;
    this.#print({ event: 'started', ...at(), ...named(episode), worker });
  }

  event({ episodeId }: PlannedEpisode, detail: EpisodeEvent): void {
    if (this.#verbose) this.#print({ event: 'episode_event', ...at(), episode_id: episodeId, detail });
  }

  interrupted(episode: PlannedEpisode, why: string): void {
    this.#print({ event: 'interrupted', ...at(), ...named(episode), why });
  }

  worldNotClosed(_episode: PlannedEpisode, why: string): void {
    this.#print({ event: 'note', ...at(), text: why });
  }

  finished(row: Row): void {
    const { episode_id, suite, task, instance, iteration, agent, surface } = row;
    const { status, failure_category, steps, wall_ms, cost_usd } = row;
    const which = { episode_id, suite, task, instance, iteration, agent, surface };
    this.#print({ event: 'finished', ...at(), ...which, status, failure_category, steps, wall_ms, cost_usd });
  }

  /**
   * Starts to print the progress regularly.
   * @returns stops it, with a last line
   */
  printProgress(): () => void {
    const progress = (): void => {
      this.#print({ event: 'progress', ...at(), ...progressEvent(this.#progress.progress) });
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

  #print(event: RunEvent): void {
    printEvent(this.#terminal, event);
  }
}

function printEvent(terminal: Terminal, event: RunEvent): void {
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

const Count = z.int().min(0);
const Milliseconds = z.number().min(0);

const Episode = {
  episode_id: z.string(),
  suite: z.string(),
  task: z.string(),
  instance: z.string(),
  iteration: Count,
  agent: z.string(),
  surface: z.string(),
};

const Progress = z.strictObject({
  total: Count,
  done: Count,
  workers: Count,
  /** Counts episodes without controls; `low` and `high` bound the 95 % interval, clustered by task, and are null below two tasks. */
  passed: Count,
  of: Count,
  low: z.number().min(0).max(1).nullable(),
  high: z.number().min(0).max(1).nullable(),
  /** Episodes per minute, and the time that is left at that pace. Null before the first is done. */
  per_minute: z.number().min(0).nullable(),
  left_ms: Milliseconds.nullable(),
  /** Spent at known prices; null if no model with one was asked. */
  usd: z.number().min(0).nullable(),
  /** Tokens of models that are billed at unknown prices. */
  unpriced_tokens: Count,
  at_work: z.array(
    z.strictObject({
      worker: z.int().min(1),
      task: z.string(),
      agent: z.string(),
      surface: z.string(),
      doing: z.string(),
      since_ms: Milliseconds,
    }),
  ),
});

const kinds = [
  /** Work before the first episode, or after the last. */
  z.strictObject({ event: z.literal('phase'), at: z.iso.datetime(), phase: z.string() }),
  z.strictObject({ event: z.literal('planned'), at: z.iso.datetime(), total: Count, done: Count, workers: Count }),
  /** A model has answered the question before the first episode. */
  z.strictObject({
    event: z.literal('asked_first'),
    at: z.iso.datetime(),
    agent: z.string(),
    model_id: z.string().nullable(),
    called_tool: z.boolean().nullable(),
    usd: z.number().min(0).nullable(),
  }),
  z.strictObject({ event: z.literal('started'), at: z.iso.datetime(), ...Episode, worker: z.int().min(1) }),
  /** With --verbose: an event of an episode as `events.jsonl` has it. */
  z.strictObject({
    event: z.literal('episode_event'),
    at: z.iso.datetime(),
    episode_id: z.string(),
    detail: EpisodeEvent,
  }),
  z.strictObject({ event: z.literal('interrupted'), at: z.iso.datetime(), ...Episode, why: z.string() }),
  z.strictObject({
    event: z.literal('finished'),
    at: z.iso.datetime(),
    ...Episode,
    status: Status,
    failure_category: FailureCategory.nullable(),
    steps: Count.nullable(),
    wall_ms: Milliseconds.nullable(),
    cost_usd: z.number().min(0).nullable(),
  }),
  /** Every ten seconds, and after the last episode. */
  z.strictObject({ event: z.literal('progress'), at: z.iso.datetime(), ...Progress.shape }),
  /** A message in words, for a person. */
  z.strictObject({ event: z.literal('note'), at: z.iso.datetime(), text: z.string() }),
] as const;

/** A line of standard error of `touchstone run --json`. */
export const RunEvent = z.discriminatedUnion('event', kinds);
export type RunEvent = z.infer<typeof RunEvent>;
