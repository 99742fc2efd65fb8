import { mkdir } from 'node:fs/promises';
import { removeLeftovers } from '../bundle/atomic-file.ts';
import { openBlobs } from '../bundle/blobs.ts';
import { sealCampaign } from '../bundle/campaign-seal.ts';
import { bundleLayout } from '../bundle/layout.ts';
import { type Ledger, openLedger } from '../bundle/ledger.ts';
import type { Row } from '../bundle/row.ts';
import { createRedactor, type Redactor } from '../bundle/redact.ts';
import { BrowserPool, type PoolOptions } from '../browser/pool.ts';
import { requireBrowser } from '../browser/find.ts';
import { loadTokenCounter } from './token-counter.ts';
import { traitsOf } from '../surface/traits.ts';
import { credentialsOf } from '../task/credentials.ts';
import { taskName } from '../task/instance.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { createTlsIdentity, type TlsIdentity } from '../world/tls-identity.ts';
import { type CampaignFile, readCampaignFile, writeCampaignFile } from '../plan/campaign-file.ts';
import { type Entrants, isolationFor } from '../plan/entrants.ts';
import { CellAgents } from './cell-agents.ts';
import { CampaignError } from '../plan/error.ts';
import { EpisodeRunner } from './episode-runner.ts';
import type { CampaignListener } from './listener.ts';
import { groundChanges, pinChanges, remedyFor } from '../plan/pin-changes.ts';
import { type Pins, readPins } from '../plan/pins.ts';
import { episodesOf, type Plan, type PlannedEpisode, planHash } from '../plan/plan.ts';
import { StoredStates } from './stored-states.ts';
import { Progress } from './progress.ts';
import { type Pause, ProviderWatch } from './provider-watch.ts';
import { purseOf } from './spent-before.ts';
import { qualificationPins } from '../plan/qualification.ts';
import { writeRows } from './rows-file.ts';
import { makeNewFolder } from './new-folder.ts';
import {
  archiveHashOf,
  closeSuiteWorld,
  loadSuiteWorld,
  type SuiteWorld,
  tryWorlds,
  worldKindOf,
} from './suite-world.ts';

/** Failures of providers in a row, over all cells, after which a campaign pauses. */
const FAILURES_TO_PAUSE = 3;

export interface CampaignOptions {
  plan: Plan;
  suites: readonly LoadedSuite[];
  entrants: Entrants;
  /** How the suites were named, for a later resume. */
  suiteNames: readonly string[];
  /** The bundle's folder. */
  folder: string;
  /** Continues what is in the folder, which must be of the same plan. */
  resume: boolean;
  /** What all episodes together may spend, in USD; null or absent: no more is said than the caps of each. */
  maxUsd?: number | null;
  /** Where a browser answers that is not ours, to be judged in; without it we launch our own. */
  browserEndpoint?: string | undefined;
  redactor: Redactor;
  /** A part of a campaign that is run again; without it all of the plan is run. */
  again?: PartAgain;
  /** It makes a proof of qualification, and so rests on none. */
  proves?: boolean;
  listener: CampaignListener;
  /** Fires when the campaign should end early; what is finished stays. */
  signal: AbortSignal;
}

/** Episodes that are run again, and what they ran on. */
export interface PartAgain {
  episodes: ReadonlySet<string>;
  pins: Pins;
}

export interface CampaignOutcome {
  campaignId: string;
  rows: Row[];
  /** True when every episode that was to be run has its row. */
  complete: boolean;
  /** Why it stopped before its end though nobody asked for it; null where it did not. */
  pause: Pause | null;
  backgroundRequests: Record<string, number>;
  /** SHA-256 of every transcript that was repeated, by file. */
  transcriptHashes: Record<string, string>;
}

/**
 * Runs a plan's episodes one after the other and leaves a bundle. What is finished is on disk at any moment.
 * @throws CampaignError when it cannot start (`cannot_rerun`: what episodes ran on is not what is here), BrowserError when
 * there is no browser.
 */
export async function runCampaign(options: CampaignOptions): Promise<CampaignOutcome> {
  const worlds = await loadWorlds(options.suites);
  try {
    return await runIn(worlds, options);
  } finally {
    for (const world of worlds.values()) closeSuiteWorld(world);
  }
}

async function runIn(worlds: Map<string, SuiteWorld>, options: CampaignOptions): Promise<CampaignOutcome> {
  const { plan, folder, listener, signal, suites, entrants } = options;
  const layout = bundleLayout(folder);
  const episodes = episodesToRun(options);
  const secrets = secretsOf(options);
  const agents = await CellAgents.make(episodes, { suites, entrants, bundle: folder, ...secrets });
  const identity = await createTlsIdentity();
  const countTokens = await loadTokenCounter();
  await tryWorlds([...new Set(episodes.map(({ planned }) => planned))], worlds, { identity, live: plan.live });
  if (!options.resume) await makeNewFolder(folder);
  const pool = new BrowserPool(browsersFor(options, identity));
  try {
    const campaign = await openCampaign(options, pool, { worlds, episodes, transcripts: agents.transcriptHashes });
    await mkdir(layout.blobs, { recursive: true });
    const ledger = await openLedger(layout.ledger);
    try {
      const progress = await Progress.read(ledger, layout, episodes);
      if (ledger.before.length === 0) {
        await ledger.append({ kind: 'planned', plan_hash: campaign.plan_hash, episodes: episodes.length });
      }
      await voidKilled(ledger, progress);
      listener.planned?.(episodes.length, progress.done);
      const blobs = openBlobs(layout.blobs);
      const runner = new EpisodeRunner({
        campaign,
        countTokens,
        entrants,
        agents,
        worlds,
        layout,
        ledger,
        blobs,
        pool,
        identity,
        ...secrets,
        watch: new ProviderWatch(FAILURES_TO_PAUSE),
        purse: await purseOf(options, layout, ledger),
        listener,
      });
      const pause = await runEpisodes(runner, { episodes, progress, ledger, signal });
      for (const suite of suites) await refuseOtherFiles(suite, campaign.pins.app_hashes[suite.id]);
      const rows = await writeRows(layout, episodes, progress);
      if (progress.done === episodes.length) await sealCampaign(layout, progress.sealsInOrder(episodes));
      return {
        campaignId: campaign.campaign_id,
        rows,
        complete: progress.done === episodes.length,
        pause,
        backgroundRequests: pool.backgroundRequests(),
        transcriptHashes: agents.transcriptHashes,
      };
    } finally {
      await ledger.close();
    }
  } finally {
    await pool.close();
  }
}

interface Running {
  episodes: readonly PlannedEpisode[];
  progress: Progress;
  ledger: Ledger;
  signal: AbortSignal;
}

/** Runs what is left, one after the other, until it is done, the signal fires, or something calls for a pause. */
async function runEpisodes(
  runner: EpisodeRunner,
  { episodes, progress, ledger, signal }: Running,
): Promise<Pause | null> {
  for (const episode of episodes) {
    if (signal.aborted) return null;
    if (progress.isDone(episode)) continue;
    const outcome = await runner.run(episode, progress.earlierOf(episode));
    if ('cause' in outcome) {
      await ledger.append({ kind: 'paused', ...outcome });
      return outcome;
    }
    progress.finish(outcome);
  }
  return null;
}

/** What logins need, by suite. It is redacted wherever a campaign is run from: no caller can forget it. */
function secretsOf({ suites, redactor }: CampaignOptions) {
  const credentials = new Map(suites.map(({ id, credentials: own }) => [id, credentialsOf(own, process.env)]));
  const values = new Map(
    [...credentials.values()].flatMap((own) => Object.entries(own).map(([name, value]) => [value, name])),
  );
  const own = createRedactor([...values].map(([value, name]) => ({ name, value })));
  const storedStates = new StoredStates();
  const all: Redactor = {
    text: (text) => storedStates.redactor.text(own.text(redactor.text(text))),
    json: (value) => storedStates.redactor.json(own.json(redactor.json(value))),
  };
  return { credentials, storedStates, redactor: all };
}

function browsersFor({ plan, browserEndpoint: endpoint }: CampaignOptions, { spki }: TlsIdentity): PoolOptions {
  return endpoint === undefined ? { binary: requireBrowser(plan.browser_kind), trustedSpki: spki } : { endpoint };
}

async function loadWorlds(suites: readonly LoadedSuite[]): Promise<Map<string, SuiteWorld>> {
  const worlds = new Map<string, SuiteWorld>();
  for (const suite of suites) worlds.set(suite.id, await loadSuiteWorld(suite));
  return worlds;
}

function episodesToRun({ plan, again }: CampaignOptions): PlannedEpisode[] {
  const all = episodesOf(plan);
  return again === undefined ? all : all.filter(({ episodeId }) => again.episodes.has(episodeId));
}

/** What a campaign is about to run. */
interface AboutToRun {
  worlds: Map<string, SuiteWorld>;
  episodes: readonly PlannedEpisode[];
  transcripts: Record<string, string>;
}

/** Writes campaign.json; on a resume, checks that the one that is there is of the same plan, code, apps and browser. */
async function openCampaign(
  options: CampaignOptions,
  pool: BrowserPool,
  { worlds, episodes, transcripts }: AboutToRun,
): Promise<CampaignFile> {
  const { plan, suiteNames, entrants, folder, resume, again } = options;
  const takingPart = plan.entrants.filter(({ agent, surface }) =>
    episodes.some((each) => each.agent === agent && each.surface === surface),
  );
  const layout = bundleLayout(folder);
  const lease = await pool.acquire('context');
  const { identity } = lease.browser;
  await lease.release(true);
  const pins = await readPins({
    browser: identity,
    surfaces: surfacesOf(takingPart, entrants, plan),
    deciders: Object.fromEntries(takingPart.map(({ agent }) => [agent, entrants.agent(agent).decider])),
    models: modelsOf(takingPart, entrants),
    entrant_hashes: entrants.fileHashes,
    app_hashes: Object.fromEntries([...worlds].map(([id, { appHash }]) => [id, appHash])),
    world_kinds: worldKinds(plan, worlds),
    archive_hashes: archiveHashes(worlds, plan.live),
    transcript_hashes: transcripts,
    qualifications:
      plan.live || options.proves === true ? {} : await currentQualifications(plan, options.suites, worlds),
  });
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
  };
  await writeCampaignFile(layout, campaign);
  return campaign;
}

/** What is proved of the planned tasks in these worlds. The live web is not the world that a proof was made in. */
async function currentQualifications(
  plan: Plan,
  suites: readonly LoadedSuite[],
  worlds: Map<string, SuiteWorld>,
): Promise<Pins['qualifications']> {
  const pins = await Promise.all(suites.map((suite) => qualificationPins(suite, worlds.get(suite.id)?.appHash ?? '')));
  const planned = new Set(plan.tasks.map(({ suite, task }) => `${suite}/${taskName(task)}`));
  return Object.fromEntries(pins.flatMap(Object.entries).filter(([name]) => planned.has(name)));
}

function surfacesOf(takingPart: Plan['entrants'], entrants: Entrants, { isolation }: Plan): Pins['surfaces'] {
  const surfaces = takingPart.map(({ surface }) => entrants.surface(surface));
  return Object.fromEntries(
    surfaces.map((surface) => [surface.id, { ...traitsOf(surface), isolation: isolationFor(surface, isolation) }]),
  );
}

function modelsOf(takingPart: Plan['entrants'], entrants: Entrants): Pins['models'] {
  const agents = [...new Set(takingPart.map(({ agent }) => agent))];
  return Object.fromEntries(
    agents.flatMap((agent) => {
      const { model } = entrants.agent(agent);
      return model === undefined ? [] : [[agent, model]];
    }),
  );
}

/** By `suite/task`; of a part that is run again, of the suites that are here. */
function worldKinds({ tasks, live }: Plan, worlds: Map<string, SuiteWorld>): Pins['world_kinds'] {
  return Object.fromEntries(
    tasks.flatMap(({ suite, task }) => {
      const world = worlds.get(suite);
      return world === undefined ? [] : [[`${suite}/${taskName(task)}`, worldKindOf(world, task.startUrl, live)]];
    }),
  );
}

function archiveHashes(worlds: Map<string, SuiteWorld>, live: boolean): Record<string, string> {
  const hashes = [...worlds].map(([id, world]) => [id, archiveHashOf(world, live)] as const);
  return Object.fromEntries(hashes.flatMap(([id, hash]) => (hash === null ? [] : [[id, hash]])));
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

/** What a world is made of is read while it is up: rows are of the files that were pinned only where they stayed. */
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
