import { mkdir } from 'node:fs/promises';
import { removeLeftovers } from '../bundle/atomic-file.ts';
import { openBlobs } from '../bundle/blobs.ts';
import { sealCampaign } from '../bundle/campaign-seal.ts';
import { bundleLayout } from '../bundle/layout.ts';
import { type Ledger, openLedger } from '../bundle/ledger.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { isOfShard } from '../plan/part-of-plan.ts';
import { episodesOf, type PlannedEpisode } from '../plan/plan.ts';
import { askFirst, type Pause, ProviderWatch } from './provider-watch.ts';
import type { Campaign, Running } from './campaign.ts';
import { type AttemptRunner, EpisodeRunner, Starts } from './episode-runner.ts';
import { LocalAttempts } from './local-attempts.ts';
import { makeNewFolder } from './new-folder.ts';
import { openCampaign, refuseOtherFiles } from './campaign-pins.ts';
import { Progress, removeDerived, writeRows, budgetOf } from './progress.ts';
import { openStage, pinsOf, slotsOf, type CampaignStage } from './stage.ts';
import { needsOf, whyThatMany, workerCount } from './worker-count.ts';

export interface CampaignOutcome {
  /** Whether every episode has its row. */
  complete: boolean;
  /** Why it stopped early without the user's request; null if it did not. */
  pause: Pause | null;
  backgroundRequests: Record<string, number>;
  /** SHA-256 of every replayed transcript, by file. */
  transcriptHashes: Record<string, string>;
}

/**
 * Runs a plan's episodes, as many at once as there are workers, and leaves a bundle. Finished episodes are on disk at any moment.
 * @throws CampaignError when it cannot start, BrowserError without a browser
 */
export async function runCampaign(campaign: Campaign): Promise<CampaignOutcome> {
  const pinned = episodesToPin(campaign);
  const episodes = pinned.filter((episode) => isOfShard(episode, campaign));
  await using stage = await openStage(campaign, pinned, campaign.remote === undefined ? episodes : []);
  if (campaign.resume !== true) await makeNewFolder(campaign.folder);
  const file = await openCampaign(campaign, await pinsOf(stage));
  const layout = bundleLayout(campaign.folder);
  await mkdir(layout.blobs, { recursive: true });
  if (campaign.resume === true) await removeLeftovers(layout.blobs);
  const ledger = await openLedger(layout.ledger);
  try {
    const running = await begin(stage, file, episodes, ledger);
    const pause = await runAttempts(running);
    for (const suite of campaign.suites) await refuseOtherFiles(suite, file.pins.app_hashes[suite.id]);
    return {
      complete: await finish(running),
      pause,
      backgroundRequests: stage.browsers.backgroundRequests(),
      transcriptHashes: stage.agents.transcriptHashes,
    };
  } finally {
    await ledger.close();
  }
}

/** Parts of a plan have the pins of the whole, so that they can be merged. */
function episodesToPin({ plan, again }: Campaign): PlannedEpisode[] {
  const all = episodesOf(plan);
  return again === undefined ? all : all.filter(({ episodeId }) => again.episodes.has(episodeId));
}

/** Reads the progress of earlier runs, and decides how many workers there are. */
async function begin(
  stage: CampaignStage,
  file: CampaignFile,
  episodes: readonly PlannedEpisode[],
  ledger: Ledger,
): Promise<Running> {
  const { campaign } = stage;
  const { listener, remote, workers = 1 } = campaign;
  const layout = bundleLayout(campaign.folder);
  const progress = await Progress.read(ledger, layout, episodes, (row) => listener.earlier?.(row));
  if (ledger.before.length === 0) {
    await ledger.append({ kind: 'planned', plan_hash: file.plan_hash, episodes: episodes.length });
  }
  await voidKilled(ledger, progress);
  if (progress.done < episodes.length) await removeDerived(layout);
  const needs = needsOf(campaign, episodes.length - progress.done, stage);
  const count = remote?.workers ?? workerCount(workers, needs);
  const why = remote === undefined ? whyThatMany(workers, needs) : null;
  listener.planned?.(episodes.length, progress.done, count, why);
  const watch = new ProviderWatch();
  return {
    campaign: file,
    stage,
    episodes,
    layout,
    blobs: openBlobs(layout.blobs),
    ledger,
    progress,
    starts: new Starts(ledger, count, remote === undefined),
    watch,
    budget: await budgetOf(campaign, layout, ledger),
    listener,
    signal: AbortSignal.any([campaign.signal, watch.signal]),
  };
}

async function voidKilled(ledger: Ledger, progress: Progress): Promise<void> {
  for (const { episode_id: id, attempt } of progress.killed) {
    await ledger.append({ kind: 'voided', episode_id: id, attempt, why: 'the run was ended while it lasted' });
  }
}

async function runAttempts(running: Running): Promise<Pause | null> {
  const { stage, starts } = running;
  const { remote } = stage.campaign;
  if (remote === undefined) {
    const slots = slotsOf(stage, starts.workers);
    return await askAndRun(
      slots.map((slot) => new LocalAttempts(slot, running)),
      running,
    );
  }
  const attempts = await remote.open(running);
  try {
    return await askAndRun(
      Array.from({ length: remote.workers }, () => attempts),
      running,
    );
  } finally {
    await attempts.close();
  }
}

/** Asks each model that has episodes left, and runs them unless one cannot be asked. */
async function askAndRun(attempts: readonly AttemptRunner[], running: Running): Promise<Pause | null> {
  const { episodes, progress, listener, ledger } = running;
  const left = episodes.filter((episode) => !progress.isDone(episode));
  const workers = attempts.map((each) => new EpisodeRunner(each, running));
  const pause = (await askFirst(left, running)) ?? (await runEpisodes(workers, running));
  listener.phase?.('closing the bundle');
  if (pause !== null) await ledger.append({ kind: 'paused', ...pause });
  return pause;
}

/**
 * Runs the remaining episodes in plan order, one at a time in each worker, until all are done, the signal fires, or a worker calls
 * for a pause. Episodes that have begun end normally.
 * @throws the first error of a worker, once the others have ended
 */
export async function runEpisodes(
  workers: readonly Pick<EpisodeRunner, 'run'>[],
  { episodes, progress, signal }: Pick<Running, 'episodes' | 'progress' | 'signal'>,
): Promise<Pause | null> {
  const left = episodes.filter((episode) => !progress.isDone(episode)).values();
  let pause: Pause | null = null;
  const failures: unknown[] = [];
  const work = async (runner: (typeof workers)[number]): Promise<void> => {
    while (!signal.aborted && failures.length === 0 && pause === null) {
      const { value: episode } = left.next();
      if (episode === undefined) return;
      const outcome = await runner.run(episode, progress.earlierOf(episode));
      if (outcome === null) return;
      if ('cause' in outcome) pause = outcome;
      else progress.finish(outcome);
    }
  };
  await Promise.all(workers.map((runner) => work(runner).catch((error: unknown) => failures.push(error))));
  if (failures.length > 0) throw failures[0];
  return pause;
}

/** Writes the rows, and seals the bundle if all are there. Returns whether they are. */
async function finish({ layout, episodes, progress }: Running): Promise<boolean> {
  await writeRows(layout, progress.rowsInOrder(layout, episodes));
  const complete = progress.done === episodes.length;
  if (complete) await sealCampaign(layout, progress.sealsInOrder(episodes));
  return complete;
}
