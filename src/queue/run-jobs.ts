import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Job } from 'bullmq';
import { BrowserError, isEndpointFault } from '../browser/error.ts';
import { type BlobStore, openBlobs } from '../bundle/blobs.ts';
import { type BundleLayout, bundleLayout } from '../bundle/layout.ts';
import { messageOf } from '../contract/message-of.ts';
import { parsePlainly, problemText } from '../contract/validation/problem.ts';
import type { MoneyBudget, Settle } from '../episode/budget.ts';
import { fact } from '../messages/messages.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import type { PlannedEpisode } from '../plan/plan.ts';
import { makeFolder, removeFolder } from '../process/own-folder.ts';
import { taskName } from '../task/instance.ts';
import { LocalAttempts } from '../run/local-attempts.ts';
import { slotsOf, type CampaignStage } from '../run/stage.ts';
import { PREFIX, type QueueConnection } from './connection.ts';
import { AttemptJob, type AttemptResult, goKey, jobIdOf, NOT_BEGUN } from './messages.ts';
import { patiently } from './stores.ts';
import { allowanceOf } from './queued-attempts.ts';
import { QueueError } from './queue-error.ts';

export interface JobsOptions {
  connection: QueueConnection;
  store: BlobStore;
  workers: number;
  lostAfterMs: number;
  note: (line: string) => void;
  campaign: CampaignFile;
  /** The hash that identifies the campaign in messages. */
  key: string;
  episodes: readonly PlannedEpisode[];
  /** The worker's own cap in USD, over all campaigns; absent: it has none. */
  budget?: MoneyBudget | undefined;
  signal: AbortSignal;
}

export interface Jobs {
  /** Takes no more jobs, and waits for the current ones. */
  close(): Promise<void>;
  /** Why no other job can succeed: the store refuses this worker's records, its browser is gone, or its money is spent. */
  refused(): Error | null;
}

/** Takes the jobs of a campaign from its queue until it is closed. */
export async function runJobs(stage: CampaignStage, options: JobsOptions): Promise<Jobs> {
  const { connection, workers, lostAfterMs, note, key, campaign } = options;
  const folder = makeFolder('worker');
  const places = placesIn(folder, stage, options);
  const episodes = new Map(options.episodes.map((episode) => [episode.episodeId, episode]));
  let refusal: Error | null = null;
  const takeNoMore = async (why: Error): Promise<void> => {
    refusal = why;
    await worker.pause(true);
  };
  const worker = new connection.bullmq.Worker(
    key,
    async (job: Job) => {
      const { attempt, episode } = readJob(job, { key, episodes });
      const place = places.pop();
      if (place === undefined) throw new Error('there are more jobs than places for them');
      const most = allowanceOf(episode, stage, campaign) ?? 0;
      let settle: Settle | null = null;
      let spent = 0;
      try {
        settle = await hold(most, options, takeNoMore);
        await letBegin(job, connection.client);
        spent = most;
        const { result, usd } = await runJob(place, { attempt, episode }, options);
        spent = usd;
        return result;
      } catch (error) {
        // Pauses before the job fails, since its failure makes the queue hand out the next.
        if (endsAll(error)) await takeNoMore(error);
        throw error;
      } finally {
        settle?.(spent);
        await clear(place.layout);
        places.push(place);
      }
    },
    {
      connection: connection.client,
      prefix: PREFIX,
      concurrency: workers,
      lockDuration: lostAfterMs,
      stalledInterval: lostAfterMs,
      // `rateLimit` has an effect only if there is a limiter.
      limiter: { max: 1_000_000, duration: 1_000 },
      // A lost attempt is void, and the next is another job: the ledger has all attempts.
      maxStalledCount: 0,
    },
  );
  worker.on('error', (error) => {
    // The connection itself reports that Redis is away.
    if (!('code' in error) && connection.bullmq.isNotConnectionError(error)) note(`the queue: ${messageOf(error)}`);
  });
  worker.on('failed', (_job, error) => {
    note(`a job failed: ${messageOf(error)}`);
  });
  return {
    refused: () => refusal,
    close: async () => {
      await worker.close();
      removeFolder(folder);
    },
  };
}

/** A browser with its world, and its own bundle. */
interface Place {
  layout: BundleLayout;
  attempts: LocalAttempts;
}

function placesIn(folder: string, stage: CampaignStage, { workers, campaign, note }: JobsOptions): Place[] {
  const listener = {
    worldNotClosed: (_: PlannedEpisode, why: string): void => {
      note(why);
    },
  };
  return slotsOf(stage, workers).map((slot, index) => {
    const layout = bundleLayout(path.join(folder, String(index)));
    const recording = { campaign, layout, blobs: openBlobs(layout.blobs), listener };
    return { layout, attempts: new LocalAttempts(slot, recording) };
  });
}

/**
 * Holds the most that an episode may cost of the worker's own cap; null without a cap or a price.
 * @throws if the cap does not cover it: the worker takes no more
 */
async function hold(
  most: number,
  { budget, signal }: JobsOptions,
  takeNoMore: (why: Error) => Promise<void>,
): Promise<Settle | null> {
  if (budget === undefined || most === 0) return null;
  const settle = await budget.cover(most, signal).catch(notBegun);
  if (settle !== null) return settle;
  await takeNoMore(new QueueError(fact('worker_money_spent', { spent: budget.spent, most })));
  return notBegun();
}

/** The coordinator has the job run elsewhere, and voids no attempt. */
function notBegun(): never {
  throw new Error(NOT_BEGUN);
}

interface ToRun {
  attempt: AttemptJob;
  episode: PlannedEpisode;
}

/** Reads an untrusted message, which can only name an episode of the checked plan. */
function readJob(
  job: Pick<Job, 'id' | 'data'>,
  { key, episodes }: { key: string; episodes: ReadonlyMap<string, PlannedEpisode> },
): ToRun {
  const parsed = parsePlainly(AttemptJob, job.data);
  if (!parsed.ok) throw new Error(`refused: the message is not a job (${parsed.problems.map(problemText).join('; ')})`);
  const attempt = parsed.value;
  if (attempt.campaign !== key) throw new Error('refused: the job is of another campaign than its queue');
  if (job.id !== jobIdOf(attempt)) throw new Error('refused: the job does not have the name of its attempt');
  const episode = episodes.get(attempt.episode_id);
  if (episode === undefined) throw new Error('refused: the episode is not in the plan of its campaign');
  return { attempt, episode };
}

/** Time between two checks for the coordinator's answer, and after which none is expected, in ms. */
const LOOK_MS = 20;
const SILENT_MS = 30_000;

/** Resolves when the coordinator has recorded the start of this run. @throws if another run has begun, or the coordinator is gone */
async function letBegin(job: Job, client: QueueConnection['client']): Promise<void> {
  const run = randomUUID();
  await job.updateProgress(run);
  const until = performance.now() + SILENT_MS;
  for (let word: string | null = null; word !== 'go'; word = await client.get(goKey(run))) {
    if (word !== null || performance.now() > until) notBegun();
    await setTimeout(LOOK_MS);
  }
}

/** Runs an attempt, and uploads its records before it returns their hashes. */
async function runJob(
  { layout, attempts }: Place,
  { attempt, episode }: ToRun,
  { store, note }: JobsOptions,
): Promise<{ result: AttemptResult; usd: number }> {
  const begun = performance.now();
  const startedAt = new Date();
  const recorded = await attempts.run(episode, attempt.attempt, async () => ({ startedAt, executedIndex: 0 }));
  const { events, transcript } = layout.attempt(episode.episodeId, attempt.attempt);
  const blobs = openBlobs(layout.blobs);
  for (const blob of new Set(Object.values(recorded.artifacts))) {
    const bytes = await blobs.get(blob);
    await patiently(async () => (await store.has(blob)) || (await store.put(bytes)));
  }
  const put = async (file: string): Promise<string> => {
    const bytes = await readFile(file);
    return await patiently(() => store.put(bytes));
  };
  const result = { ...attempt, events: await put(events), transcript: await put(transcript) };
  const seconds = ((performance.now() - begun) / 1_000).toFixed(2);
  note(`${taskName(episode.planned.task)} by ${episode.agent} through ${episode.surface}: run in ${seconds} s`);
  return { result, usd: recorded.costUsd ?? 0 };
}

async function clear({ episodes, blobs }: BundleLayout): Promise<void> {
  await rm(episodes, { recursive: true, force: true });
  await rm(blobs, { recursive: true, force: true });
}

/** Whether the next job would fail as this one did. */
function endsAll(error: unknown): error is BrowserError | QueueError {
  if (error instanceof BrowserError) return isEndpointFault(error);
  return error instanceof QueueError && !error.isInfrastructure;
}
