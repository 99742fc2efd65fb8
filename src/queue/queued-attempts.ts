import type { Job, JobState, Queue, QueueEvents } from 'bullmq';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { atMost } from '../browser/at-most.ts';
import type { BlobStore } from '../bundle/blobs.ts';
import { messageOf } from '../contract/message-of.ts';
import type { PlannedEpisode } from '../plan/plan.ts';
import type { Recorded } from '../row/recorded.ts';
import type { Settle } from '../episode/budget.ts';
import { cellCaps } from '../plan/cell-caps.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import type { Running } from '../run/campaign.ts';
import type { AttemptRunner, Begin, Lost, Started } from '../run/episode-runner.ts';
import type { Pause } from '../run/provider-watch.ts';
import type { CampaignStage } from '../run/stage.ts';
import { type AttemptJob, goKey, jobIdOf, NOT_BEGUN } from './messages.ts';
import { type Taken, takeResult } from './take-result.ts';

/** The unchecked result of a job, or why it is missing. */
type Ended = { result: unknown } | Lost | Pause;

interface Waiting {
  job: AttemptJob;
  /** The index of its episode in the plan. */
  place: number;
  /** False until the queue has it. */
  isQueued: boolean;
  /** The most that it may spend, in USD; null if it spends nothing, or its price is unknown. */
  allowance: number | null;
  /** Returns the rest of the allowance; null until that is held. */
  settle: Settle | null;
  begin: () => Promise<Started>;
  /** The only run that may begin; null until a worker has asked. */
  begun: { run: string; started: Promise<Started> } | null;
  end: (ended: Ended) => void;
}

/** Seconds that a finished job is kept in the queue, where `look` finds it if its event was missed. */
const KEPT_S = 600;
/** Seconds that the answer to a worker is kept. */
const ANSWER_S = 60;
const STALLED = /\bstalled\b/;
const Run = z.uuid();
/** The lowest priority of a job; 1 is the highest. */
const LAST_PRIORITY = 2_097_152;

export interface QueuedOptions extends Running {
  client: Redis;
  queue: Queue;
  /** Holds the records of workers. */
  store: BlobStore;
  /** The hash that identifies the campaign in messages. */
  key: string;
  note: (line: string) => void;
}

/**
 * Runs each attempt as a job of the queue, in another process. Its record is written where an attempt of this process would write it.
 * If a worker is lost, so is its job: the queue does not retry it.
 */
export class QueuedAttempts implements AttemptRunner {
  readonly #options: QueuedOptions;
  readonly #waiting = new Map<string, Waiting>();
  // Attempts get their allowances one after the other, and are then added to the queue one after the other.
  readonly #reserving = atMost(1);
  readonly #adding = atMost(1);

  constructor(options: QueuedOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => void this.#withdraw());
  }

  listen(events: QueueEvents): void {
    events.on('progress', ({ jobId, data }) => void this.#asked(jobId, data));
    events.on('completed', ({ jobId, returnvalue }) => this.#end(jobId, { result: returnvalue }));
    events.on('stalled', ({ jobId }) => void this.#stalled(jobId));
    events.on('failed', ({ jobId, failedReason }) => this.#end(jobId, { lost: failedReason }));
  }

  /** Looks for events that were missed, and jobs that were forgotten, while Redis was unreachable. */
  async look(): Promise<void> {
    const { queue } = this.#options;
    const inOrder = [...this.#waiting].toSorted(([, one], [, other]) => one.place - other.place);
    for (const [id, { isQueued }] of inOrder) {
      if (!isQueued) continue;
      const job: Job | undefined = await queue.getJob(id);
      const state: JobState | 'unknown' = job === undefined ? 'unknown' : await job.getState();
      if (state === 'active') await this.#asked(id, job?.progress);
      if (state === 'completed') this.#end(id, { result: job?.returnvalue });
      if (state === 'failed') this.#end(id, { lost: job?.failedReason ?? 'it failed' });
      if (state === 'unknown') this.#forgotten(id);
      if (state === 'waiting') await this.#stalled(id);
    }
  }

  async run(episode: PlannedEpisode, attempt: number, begin: Begin): Promise<Recorded | Lost | Pause> {
    const { key, signal } = this.#options;
    if (signal.aborted) return { lost: WITHDRAWN };
    const job: AttemptJob = { schema_version: 1, campaign: key, episode_id: episode.episodeId, attempt };
    const id = jobIdOf(job);
    const { stage, campaign } = this.#options;
    const allowance = allowanceOf(episode, stage, campaign);
    const of = { job, place: episode.planIndex, isQueued: false, allowance, settle: null, begun: null };
    const ended = new Promise<Ended>((resolve, reject) => {
      this.#waiting.set(id, { ...of, begin: async () => begin(allowance ?? undefined), end: resolve });
      this.#addOnceCovered(id).catch(reject);
    });
    return await this.#untilOver(id, { job, episode }, ended);
  }

  async #untilOver(id: string, of: Omit<Taken, 'started'>, ending: Promise<Ended>): Promise<Recorded | Lost | Pause> {
    const waiting = this.#waiting.get(id);
    // The spending of a lost worker is unknown: it may be all of its allowance.
    let spent = waiting?.allowance ?? 0;
    try {
      const ended = await ending;
      const { begun = null } = waiting ?? {};
      if (begun === null) spent = 0;
      if ('cause' in ended) return ended;
      if ('lost' in ended) {
        await begun?.started;
        return { lost: lossOf(ended) };
      }
      if (begun === null) return { lost: 'its result came before it had begun' };
      const recorded = await takeResult(ended.result, { ...of, started: await begun.started }, this.#options);
      if (!('lost' in recorded)) spent = recorded.costUsd ?? 0;
      return recorded;
    } finally {
      this.#waiting.delete(id);
      waiting?.settle?.(spent);
      // No other message of this run is answered.
      if (waiting?.begun) this.#options.client.del(goKey(waiting.begun.run)).catch(() => 0);
    }
  }

  async #addOnceCovered(id: string): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined && (await this.#reserving(() => this.#reserveAllowance(waiting)))) await this.#add(id);
  }

  async #add(id: string): Promise<void> {
    await this.#adding(() => this.#enqueue(id));
  }

  /** Gives a job the priority of its place in the plan, so that a repeated attempt comes before later episodes. */
  async #enqueue(id: string): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    const { queue } = this.#options;
    // A job that ended without a usable result would count as done.
    await queue.remove(id);
    const kept = { removeOnComplete: { age: KEPT_S }, removeOnFail: { age: KEPT_S } };
    const priority = Math.min(waiting.place + 1, LAST_PRIORITY);
    await queue.add('attempt', waiting.job, { jobId: id, attempts: 1, priority, ...kept });
    waiting.isQueued = true;
  }

  /** Holds the allowance of an attempt until its end; ends the attempt if the rest of the budget does not cover it. */
  async #reserveAllowance(waiting: Waiting): Promise<boolean> {
    const { budget, signal } = this.#options;
    const { allowance, end } = waiting;
    if (budget === undefined || allowance === null) return true;
    try {
      waiting.settle = await budget.cover(allowance, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      end({ lost: WITHDRAWN });
      return false;
    }
    if (waiting.settle !== null) return true;
    end({ cause: 'budget', why: budget.empty ?? `${budget.spent}, and an episode may cost ${allowance} USD` });
    return false;
  }

  /**
   * Lets only one run of a job begin: the queue may have forgotten the job and handed it out again. Nothing is spent before, so the
   * ledger has every run that spends. Episodes begin in plan order, even if the queue has forgotten the job of an earlier one.
   */
  async #asked(id: string, progress: unknown): Promise<void> {
    const { client, note } = this.#options;
    const run = Run.safeParse(progress);
    if (!run.success) return;
    const waiting = this.#waiting.get(id);
    try {
      const answer = waiting !== undefined && (await this.#mayRun(waiting, run.data)) ? 'go' : 'no';
      await client.set(goKey(run.data), answer, 'EX', ANSWER_S);
    } catch (error) {
      note(`${id} has not begun: ${messageOf(error)}`);
    }
  }

  async #mayRun(waiting: Waiting, run: string): Promise<boolean> {
    const { place, job } = waiting;
    const isAhead = [...this.#waiting.values()].some(
      (other) => other.place < place && other.job.attempt === 1 && other.begun === null,
    );
    if (waiting.begun === null && job.attempt === 1 && isAhead) return false;
    waiting.begun ??= { run, started: waiting.begin() };
    await waiting.begun.started;
    return waiting.begun.run === run;
  }

  /** Ends a job that the queue has taken from its worker, before another worker can take it. */
  async #stalled(id: string): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (waiting?.begun === null || waiting === undefined) return;
    await this.#options.queue.remove(id).catch(() => 0);
    waiting.end({ lost: LOST });
  }

  #forgotten(id: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined && waiting.begun !== null) waiting.end({ lost: 'the queue has forgotten it' });
    else this.#requeue(id);
  }

  #requeue(id: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    waiting.isQueued = false;
    this.#add(id).catch((error: unknown) => {
      waiting.end({ lost: messageOf(error) });
    });
  }

  #end(id: string, ended: Exclude<Ended, Pause>): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) {
      if ('lost' in ended) this.#options.note(`a job of another run failed: ${ended.lost}`);
    } else if (waiting.begun === null && ('result' in ended || isNotBegun(ended))) this.#requeue(id);
    else waiting.end(ended);
  }

  async #withdraw(): Promise<void> {
    for (const [id, { begun, end }] of this.#waiting) {
      if (begun !== null) continue;
      const removed = await this.#options.queue.remove(id).catch(() => 0);
      if (removed === 1) end({ lost: WITHDRAWN });
    }
  }
}

/** Returns the cost cap of an episode in USD; null if its model has no known price. */
export function allowanceOf(episode: PlannedEpisode, { agents }: CampaignStage, campaign: CampaignFile): number | null {
  const chosen = agents.of(episode);
  const price = 'agent' in chosen ? chosen.model?.price_table : undefined;
  return typeof price === 'string' ? cellCaps(campaign, episode).cost_usd : null;
}

function lossOf({ lost }: Lost): string {
  // A second run of a job begins only after the queue counts the first as lost.
  return STALLED.test(lost) || lost === NOT_BEGUN ? LOST : lost;
}

function isNotBegun(ended: Exclude<Ended, Pause>): boolean {
  return 'lost' in ended && ended.lost === NOT_BEGUN;
}

const LOST = 'its worker was lost';

const WITHDRAWN = 'it was withdrawn before it began';
