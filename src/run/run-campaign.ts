import { mkdir } from 'node:fs/promises';
import { removeLeftovers } from '../bundle/atomic-file.ts';
import { type BlobStore, openBlobs } from '../bundle/blobs.ts';
import { sealCampaign } from '../bundle/campaign-seal.ts';
import { type BundleLayout, bundleLayout } from '../bundle/layout.ts';
import { type Ledger, openLedger } from '../bundle/ledger.ts';
import type { Redactor } from '../bundle/redact.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { type CampaignFile, readCampaignFile, writeCampaignFile } from '../plan/campaign-file.ts';
import type { MoneyBudget } from '../episode/budget.ts';
import type { Entrants } from '../plan/entrants.ts';
import { askFirst, type ToAsk } from './ask-first.ts';
import type { AttemptRunner } from './attempt-runner.ts';
import type { CellAgents } from './cell-agents.ts';
import { EpisodeRunner } from './episode-runner.ts';
import { CampaignError } from '../plan/error.ts';
import type { CampaignListener } from './listener.ts';
import { groundChanges, pinChanges, remedyFor } from '../plan/pin-changes.ts';
import type { Pins } from '../plan/pins.ts';
import { episodesOf, type Plan, type PlannedEpisode, planHash } from '../plan/plan.ts';
import { isOfShard } from '../plan/part-of-plan.ts';
import type { Shard } from '../plan/shard.ts';
import { Progress } from './progress.ts';
import { onStage, pinsOf, type CampaignStage } from './campaign-stage.ts';
import { Starts } from './starts.ts';
import { type Pause, ProviderWatch } from './provider-watch.ts';
import { budgetOf } from './spent-before.ts';
import { removeDerived, writeRows } from './rows-file.ts';
import { whyThatMany, type Workers, workerCount } from './worker-count.ts';
import { needsOf } from './needs.ts';
import { localAttempts, runEpisodes } from './workers.ts';
import { makeNewFolder } from './new-folder.ts';
import { closeSuiteWorld, loadSuiteWorld } from './suite-world.ts';

/** Failures of providers in a row, over all cells, after which a campaign pauses. */
const FAILURES_TO_PAUSE = 3;

export interface CampaignOptions {
  plan: Plan;
  suites: readonly LoadedSuite[];
  entrants: Entrants;
  /** Names of the suites as they were given, for a later resume. */
  suiteNames: readonly string[];
  folder: string;
  /** Continues what is in the folder, which must be of the same plan. */
  resume: boolean;
  /** Cap in USD for all episodes together; null or absent: only the caps of each hold. */
  maxUsd?: number | null;
  /** Number of episodes that run at once; absent: one. */
  workers?: Workers;
  /** Where browsers answer that are not ours, one for each worker at most; absent or none: we launch our own. */
  browserEndpoints?: readonly string[];
  redactor: Redactor;
  /** Which part of the plan is run; absent: all of it. */
  shard?: Shard | undefined;
  /** A part of a campaign that is run again; without it all of the plan is run. */
  again?: PartAgain;
  /** It makes a proof of qualification, and so rests on none. */
  proves?: boolean;
  /** Where episodes are run that are not run here; absent: here. */
  elsewhere?: Elsewhere | undefined;
  listener: CampaignListener;
  /** Fires when the campaign should end early; what is finished stays. */
  signal: AbortSignal;
}

/** Episodes that are run again, and what they ran on. */
export interface PartAgain {
  episodes: ReadonlySet<string>;
  pins: Pins;
}

/** Other processes that run the attempts of a campaign; what comes of each is written down here, as of one that ran here. */
export interface Elsewhere {
  /** Most attempts that are under way at once. */
  workers: number;
  /** Calls `run` with as many runners of attempts, and lets go of them when it has ended. */
  run(of: OfCampaign, run: RunWith): Promise<Pause | null>;
}

/** Runs what is left of a campaign. */
type RunWith = (attempts: readonly AttemptRunner[]) => Promise<Pause | null>;

/** The part of a campaign that a runner of its attempts needs. */
export interface OfCampaign {
  campaign: CampaignFile;
  layout: BundleLayout;
  blobs: BlobStore;
  episodes: readonly PlannedEpisode[];
  agents: CellAgents;
  /** Undefined: the campaign has no cap in USD. */
  budget: MoneyBudget | undefined;
  listener: CampaignListener;
  /** Fires when nothing is to begin any more. */
  signal: AbortSignal;
}

export interface CampaignOutcome {
  campaignId: string;
  /** True when every episode that was to be run has its row. */
  complete: boolean;
  /** Why it stopped before its end though nobody asked for it; null where it did not. */
  pause: Pause | null;
  backgroundRequests: Record<string, number>;
  /** SHA-256 of every transcript that was repeated, by file. */
  transcriptHashes: Record<string, string>;
}

/**
 * Runs a plan's episodes, as many at once as there are workers, and leaves a bundle. What is finished is on disk at any moment.
 * @throws CampaignError when it cannot start (`cannot_rerun`: what episodes ran on is not what is here), BrowserError when
 * there is no browser.
 */
export async function runCampaign(options: CampaignOptions): Promise<CampaignOutcome> {
  const pinned = episodesToPin(options);
  const episodes = pinned.filter((episode) => isOfShard(episode, options));
  const staged = { ...options, pinned, here: options.elsewhere === undefined ? episodes : [] };
  return await onStage(staged, async (stage) => {
    if (!options.resume) await makeNewFolder(options.folder);
    const campaign = await openCampaign(options, await pinsOf(stage, staged));
    const layout = bundleLayout(options.folder);
    await mkdir(layout.blobs, { recursive: true });
    if (options.resume) await removeLeftovers(layout.blobs);
    const ledger = await openLedger(layout.ledger);
    try {
      return await runOn(stage, { ...options, campaign, episodes, layout, ledger });
    } finally {
      await ledger.close();
    }
  });
}

/** A campaign whose plan and pins are written down. */
interface Opened extends CampaignOptions {
  campaign: CampaignFile;
  episodes: readonly PlannedEpisode[];
  layout: BundleLayout;
  ledger: Ledger;
}

async function runOn(stage: CampaignStage, opened: Opened): Promise<CampaignOutcome> {
  const { campaign, episodes, layout, ledger, listener, suites, elsewhere } = opened;
  const { agents, browsers, redactor } = stage;
  const progress = await Progress.read(ledger, layout, episodes, (row) => listener.earlier?.(row));
  if (ledger.before.length === 0) {
    await ledger.append({ kind: 'planned', plan_hash: campaign.plan_hash, episodes: episodes.length });
  }
  await voidKilled(ledger, progress);
  if (progress.done < episodes.length) await removeDerived(layout);
  const needs = needsOf(opened, stage, episodes.length - progress.done);
  const count = elsewhere?.workers ?? workerCount(opened.workers ?? 1, needs);
  const why = elsewhere === undefined ? whyThatMany(opened.workers ?? 1, needs) : null;
  listener.planned?.(episodes.length, progress.done, count, why);
  const budget = await budgetOf(opened, layout, ledger);
  const watch = new ProviderWatch(FAILURES_TO_PAUSE);
  const signal = AbortSignal.any([opened.signal, watch.signal]);
  const blobs = openBlobs(layout.blobs);
  const runners = { campaign, layout, ledger, listener, watch, signal };
  const starts = new Starts(ledger, count, elsewhere === undefined);
  const run: RunWith = async (attempts) => {
    const workers = attempts.map((each) => new EpisodeRunner({ ...runners, attempts: each, starts }));
    return await askAndRun(workers, { ...opened, redactor, progress, agents, budget });
  };
  const pause =
    elsewhere === undefined
      ? await runHere(stage, { campaign, layout, blobs, listener, budget }, { count, run })
      : await elsewhere.run({ campaign, layout, blobs, episodes, agents, budget, listener, signal }, run);
  for (const suite of suites) await refuseOtherFiles(suite, campaign.pins.app_hashes[suite.id]);
  return {
    campaignId: campaign.campaign_id,
    ...(await finish(layout, episodes, progress)),
    pause,
    backgroundRequests: browsers.backgroundRequests(),
    transcriptHashes: agents.transcriptHashes,
  };
}

/** Runs attempts in this process, as many at once. */
async function runHere(
  stage: CampaignStage,
  own: Parameters<typeof localAttempts>[1][number],
  { count, run }: { count: number; run: RunWith },
): Promise<Pause | null> {
  return await run(
    await localAttempts(
      stage,
      Array.from({ length: count }, () => own),
    ),
  );
}

/** Asks the models that have episodes left, and runs these unless one of the models cannot be asked. */
async function askAndRun(
  workers: Parameters<typeof runEpisodes>[0],
  running: Parameters<typeof runEpisodes>[1] & ToAsk & { ledger: Ledger },
): Promise<Pause | null> {
  const left = running.episodes.filter((episode) => !running.progress.isDone(episode));
  const pause = (await askFirst(left, running)) ?? (await runEpisodes(workers, running));
  running.listener.phase?.('closing the bundle');
  if (pause !== null) await running.ledger.append({ kind: 'paused', ...pause });
  return pause;
}

/** Writes what is derived from the rows that there are, and seals the bundle where all are. */
async function finish(
  layout: BundleLayout,
  episodes: readonly PlannedEpisode[],
  progress: Progress,
): Promise<Pick<CampaignOutcome, 'complete'>> {
  await writeRows(layout, progress.rowsInOrder(layout, episodes));
  const complete = progress.done === episodes.length;
  if (complete) await sealCampaign(layout, progress.sealsInOrder(episodes));
  return { complete };
}

/** The pins of each part of a plan are those of the whole, so that parts can be merged. */
function episodesToPin({ plan, again }: CampaignOptions): PlannedEpisode[] {
  const all = episodesOf(plan);
  return again === undefined ? all : all.filter(({ episodeId }) => again.episodes.has(episodeId));
}

/** Writes campaign.json; on a resume, checks that the one that is there is of the same plan, code, apps and browser. */
async function openCampaign(options: CampaignOptions, pins: Pins): Promise<CampaignFile> {
  const { plan, suiteNames, entrants, folder, resume, again } = options;
  const layout = bundleLayout(folder);
  const hash = planHash(plan);
  if (resume) {
    await removeLeftovers(folder);
    const campaign = await readCampaignFile(layout);
    refuseChanges(campaign, hash, pins);
    return campaign;
  }
  if (again !== undefined) refuseOtherGround(again.pins, pins);
  const now = new Date().toISOString();
  const campaign: CampaignFile = {
    schema_version: 2,
    campaign_id: `${now.replaceAll(/[-:]|\.\d+/g, '')}-${hash.slice(0, 8)}`,
    created_at: now,
    plan_hash: hash,
    plan,
    pins,
    ...(typeof options.maxUsd === 'number' ? { max_usd: options.maxUsd } : {}),
    suites: [...suiteNames],
    entrant_files: { agents: [...entrants.files.agents], surfaces: [...entrants.files.surfaces] },
    ...(options.shard === undefined ? {} : { shard: options.shard }),
  };
  await writeCampaignFile(layout, campaign);
  return campaign;
}

/** Rows carry the pins of campaign.json: what runs now must be what was pinned. */
function refuseChanges(campaign: CampaignFile, hash: string, pins: Pins): void {
  const changed = [...(campaign.plan_hash === hash ? [] : ['the plan']), ...pinChanges(campaign.pins, pins)];
  if (changed.length === 0) return;
  const message = `changed since the campaign began: ${changed.join('; ')}`;
  throw new CampaignError('cannot_resume', message, remedyFor(campaign.pins, pins));
}

/** The same outcome on another ground would say nothing. */
function refuseOtherGround(before: Pins, now: Pins): void {
  const changed = groundChanges(before, now);
  if (changed.length === 0) return;
  throw new CampaignError('cannot_rerun', changed.join('; '), 'run it again where these are as they were');
}

/** A world reads its files while it is up: rows are of the files that were pinned only where these stayed. */
async function refuseOtherFiles(suite: LoadedSuite, pinned: string | undefined): Promise<void> {
  const world = await loadSuiteWorld(suite);
  closeSuiteWorld(world);
  if (world.appHash === pinned) return;
  const message = `the files of the world of ${suite.id} have changed while it ran`;
  throw new CampaignError(
    'world_changed',
    message,
    'start a new campaign: nothing tells which episodes had which files',
  );
}

/** An attempt that was started and neither sealed nor voided was killed. */
async function voidKilled(ledger: Ledger, progress: Progress): Promise<void> {
  for (const { episode_id: id, attempt } of progress.killed) {
    await ledger.append({ kind: 'voided', episode_id: id, attempt, why: 'the run was ended while it lasted' });
  }
}
