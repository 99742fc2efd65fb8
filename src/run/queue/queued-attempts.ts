import { mkdir, writeFile } from 'node:fs/promises';
import type { Job, JobState, Queue, QueueEvents } from 'bullmq';
import type { BlobStore } from '../../bundle/blobs.ts';
import { BundleError } from '../../bundle/errors.ts';
import { parsePlainly } from '../../contract/validation/problem.ts';
import { messageOf } from '../../contract/message-of.ts';
import type { PlannedEpisode } from '../../plan/plan.ts';
import { planProblems, readRecord } from '../../row/against-record.ts';
import type { Recorded } from '../../row/recorded.ts';
import { recordedEvents } from '../../row/recorded-events.ts';
import { isRecordedInTime } from '../../row/recorded-in-time.ts';
import type { AttemptRunner, Lost } from '../attempt-runner.ts';
import type { OfCampaign } from '../run-campaign.ts';
import type { Started } from '../starts.ts';
import type { CampaignMoney } from './campaign-money.ts';
import { type AttemptJob, AttemptResult, jobIdOf } from './messages.ts';
import { patiently } from './patiently.ts';

/** The result of a job, as it came; or why there is none. */
type Ended = { result: unknown } | Lost;

interface Waiting {
  job: AttemptJob;
  /** Where its episode comes in the plan. */
  place: number;
  /** False until the queue has it. */
  isQueued: boolean;
  begin: () => void;
  hasBegun: () => boolean;
  end: (ended: Ended) => void;
}

/** Seconds that a finished job is kept in the queue: what its end tells is told at once, and looked for again soon after. */
const KEPT_S = 600;
const STALLED = /\bstalled\b/;
/** Lowest priority that a job may have; 1 is the highest. */
const LAST_PRIORITY = 2_097_152;

export interface QueuedOptions extends OfCampaign {
  queue: Queue;
  /** Where workers put what they record. */
  store: BlobStore;
  /** The hash that stands for the campaign in messages. */
  key: string;
  money: Pick<CampaignMoney, 'end'>;
  note: (line: string) => void;
}

/**
 * Runs attempts in other processes, wherever these are: a job in the queue for each, and what comes back of it is written where an
 * attempt of this process would have written it. A job whose worker is lost is lost itself; it is not for the queue to try again.
 */
export class QueuedAttempts implements AttemptRunner {
  readonly #options: QueuedOptions;
  readonly #waiting = new Map<string, Waiting>();
  /** Attempts whose money is not counted yet. */
  readonly #underWay = new Set<string>();
  /** Jobs that are being given to the queue. */
  #queued: Promise<unknown> = Promise.resolve();

  constructor(options: QueuedOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => void this.#withdraw());
  }

  /** Hears what becomes of jobs. */
  listen(events: QueueEvents): void {
    events.on('active', ({ jobId }) => this.#begin(jobId));
    events.on('completed', ({ jobId, returnvalue }) => this.#end(jobId, { result: returnvalue }));
    events.on('stalled', ({ jobId }) => void this.#stalled(jobId));
    events.on('failed', ({ jobId, failedReason }) => this.#end(jobId, { lost: failedReason }));
  }

  /** Looks for what was not heard: a Redis that was away may have told nobody, or have forgotten a job. */
  async look(): Promise<void> {
    const { queue } = this.#options;
    const inOrder = [...this.#waiting].toSorted(([, one], [, other]) => one.place - other.place);
    for (const [id, { isQueued }] of inOrder) {
      if (!isQueued) continue;
      const job: Job | undefined = await queue.getJob(id);
      const state: JobState | 'unknown' = job === undefined ? 'unknown' : await job.getState();
      if (state === 'active') this.#begin(id);
      if (state === 'completed') this.#end(id, { result: job?.returnvalue });
      if (state === 'failed') this.#end(id, { lost: job?.failedReason ?? 'it failed' });
      if (state === 'unknown') this.#forgotten(id);
      if (state === 'waiting') await this.#stalled(id);
    }
  }

  /** Whether an attempt is one of this run, and may still spend money. */
  isUnderWay(id: string): boolean {
    return this.#underWay.has(id);
  }

  async run(episode: PlannedEpisode, attempt: number, begin: () => Promise<Started>): Promise<Recorded | Lost> {
    const { key, signal } = this.#options;
    if (signal.aborted) return { lost: WITHDRAWN };
    const job: AttemptJob = { schema_version: 1, campaign: key, episode_id: episode.episodeId, attempt };
    this.#underWay.add(jobIdOf(job));
    const beginning: Promise<Started>[] = [];
    const ended = await this.#untilEnded(
      { job, place: episode.planIndex },
      () => {
        if (beginning.length > 0) return;
        const started = begin();
        // Whoever waits for the end is told.
        started.catch(() => {});
        beginning.push(started);
      },
      () => beginning.length > 0,
    );
    const started = await beginning[0];
    if (started === undefined) return { lost: 'lost' in ended ? lossOf(ended) : 'its result came before it had begun' };
    const recorded =
      'lost' in ended ? { lost: lossOf(ended) } : await this.#take(ended.result, { job, episode, started });
    await this.#count(jobIdOf(job), 'lost' in recorded ? null : (recorded.costUsd ?? 0));
    return recorded;
  }

  /** Counts the money of an attempt that has begun: its number will not come again. */
  async #count(id: string, usd: number | null): Promise<void> {
    await this.#options.money.end(id, usd);
    this.#underWay.delete(id);
  }

  async #untilEnded(what: Pick<Waiting, 'job' | 'place'>, begin: () => void, hasBegun: () => boolean): Promise<Ended> {
    const id = jobIdOf(what.job);
    const waiting = new Promise<Ended>((resolve, reject) => {
      this.#waiting.set(id, { ...what, isQueued: false, begin, hasBegun, end: resolve });
      this.#add(id).catch(reject);
    });
    try {
      return await waiting;
    } finally {
      this.#waiting.delete(id);
    }
  }

  /** Jobs go to the queue one after the other. */
  async #add(id: string): Promise<void> {
    const adding = this.#queued.then(async () => this.#give(id));
    this.#queued = adding.catch(() => {});
    await adding;
  }

  /** Workers take jobs in plan order, whenever these came: an attempt after the first goes before what is still to begin. */
  async #give(id: string): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    const { queue } = this.#options;
    // Nothing may stay of an end that was of no use, or the queue takes the job for done.
    await queue.remove(id);
    const kept = { removeOnComplete: { age: KEPT_S }, removeOnFail: { age: KEPT_S } };
    const priority = Math.min(waiting.place + 1, LAST_PRIORITY);
    await queue.add('attempt', waiting.job, { jobId: id, attempts: 1, priority, ...kept });
    waiting.isQueued = true;
  }

  /**
   * Begins what a worker has taken. Where an episode before it is still to begin, as a queue that has forgotten it had it not to give,
   * it has not begun: episodes begin in plan order.
   */
  #begin(id: string): void {
    const taken = this.#waiting.get(id);
    if (taken === undefined) return;
    const isAhead = [...this.#waiting.values()].some(
      ({ place, job, hasBegun }) => place < taken.place && job.attempt === 1 && !hasBegun(),
    );
    if (taken.job.attempt > 1 || !isAhead) taken.begin();
  }

  /**
   * Ends what the queue has taken back from its worker. The queue itself fails it when another worker is free to take it: that may wait
   * for the very money that the lost one holds.
   */
  async #stalled(id: string): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (waiting?.hasBegun() !== true) return;
    await this.#options.queue.remove(id).catch(() => 0);
    waiting.end({ lost: LOST });
  }

  #forgotten(id: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting?.hasBegun() === true) waiting.end({ lost: 'the queue has forgotten it' });
    else this.#again(id);
  }

  /** Gives the queue once more what nobody has begun. */
  #again(id: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    waiting.isQueued = false;
    this.#add(id).catch((error: unknown) => {
      waiting.end({ lost: messageOf(error) });
    });
  }

  #end(id: string, ended: Ended): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) {
      if ('lost' in ended) this.#options.note(`a job that is not of this run came to nothing: ${ended.lost}`);
    } else if ('result' in ended && !waiting.hasBegun()) this.#again(id);
    else waiting.end(ended);
  }

  /** Takes back what nobody has begun. */
  async #withdraw(): Promise<void> {
    for (const [id, { hasBegun, end }] of this.#waiting) {
      if (hasBegun()) continue;
      const removed = await this.#options.queue.remove(id).catch(() => 0);
      if (removed === 1) end({ lost: WITHDRAWN });
    }
  }

  /** Writes what came back where an attempt that ran here has it. What is not of this attempt is of no use. */
  async #take(result: unknown, { job, episode, started }: Taken): Promise<Recorded | Lost> {
    const { layout, campaign, listener } = this.#options;
    const parsed = parsePlainly(AttemptResult, result);
    if (!parsed.ok) return { lost: 'its worker answered with what is no result' };
    const { events, transcript, ...of } = parsed.value;
    if (of.campaign !== job.campaign || jobIdOf(of) !== jobIdOf(job)) {
      return { lost: 'its worker answered with the result of another attempt' };
    }
    try {
      await this.#write(job, { events, transcript });
      const { recorded, isWhole, problems } = await readRecord(layout, job);
      const [problem] = [...problems, ...planProblems(recorded, episode, campaign)];
      if (!isWhole || problem !== undefined)
        return { lost: `what was recorded is of no use: ${problem ?? 'it is torn'}` };
      await this.#fetchBlobs(recorded);
      const endedAt = started.startedAt.getTime() + recorded.atMs;
      const since = Date.now() - endedAt;
      if (!isRecordedInTime(0, since)) return { lost: `its result came ${Math.round(since / 1_000)} s after its end` };
      for await (const { event } of recordedEvents(layout, job)) listener.event?.(episode, event);
      return recorded;
    } catch (error) {
      if (!(error instanceof BundleError)) throw error;
      return { lost: messageOf(error) };
    }
  }

  async #write({ episode_id: id, attempt }: AttemptJob, hashes: Pick<AttemptResult, 'events' | 'transcript'>) {
    const { layout, store } = this.#options;
    const place = layout.attempt(id, attempt);
    await mkdir(place.folder, { recursive: true });
    await writeFile(place.events, await patiently(() => store.get(hashes.events)));
    await writeFile(place.transcript, await patiently(() => store.get(hashes.transcript)));
  }

  async #fetchBlobs({ artifacts }: Recorded): Promise<void> {
    const { blobs, store } = this.#options;
    for (const hash of new Set(Object.values(artifacts))) {
      if (!(await blobs.has(hash))) await blobs.put(await patiently(() => store.get(hash)));
    }
  }
}

function lossOf({ lost }: Lost): string {
  return STALLED.test(lost) ? LOST : lost;
}

const LOST = 'its worker was lost';

const WITHDRAWN = 'it was taken back before it began';

interface Taken {
  job: AttemptJob;
  episode: PlannedEpisode;
  started: Started;
}
