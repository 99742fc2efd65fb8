import { traitsOf } from '../surface/traits.ts';
import { taskName } from '../task/instance.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { type Entrants, isolationFor } from '../plan/entrants.ts';
import { type Pins, readPins } from '../plan/pins.ts';
import { type Plan, planHash } from '../plan/plan.ts';
import { qualificationPins } from '../plan/qualification.ts';
import { archiveHashOf, type SuiteWorld, worldKindOf, loadSuiteWorld } from './suite-world.ts';
import { removeLeftovers } from '../bundle/atomic-file.ts';
import { bundleLayout } from '../bundle/layout.ts';
import { type CampaignFile, readCampaignFile, writeCampaignFile } from '../plan/campaign-file.ts';
import { fact } from '../messages/messages.ts';
import { CampaignError } from '../plan/error.ts';
import { causeOfChange, groundChanges, pinChanges } from '../plan/pin-changes.ts';
import type { Campaign } from './campaign.ts';

interface ToPin {
  plan: Plan;
  suites: readonly LoadedSuite[];
  entrants: Entrants;
  worlds: ReadonlyMap<string, SuiteWorld>;
  /** The entrants of the plan that run something now. */
  takingPart: Plan['entrants'];
  browser: Pins['browser'];
  /** Hashes of replayed files. */
  transcripts: Record<string, string>;
  /** Whether it makes a proof of qualification, and so needs none. */
  proves?: boolean;
}

/** Reads the versions and hashes that `campaign.json` pins. */
export async function campaignPins(toPin: ToPin): Promise<Pins> {
  const { plan, suites, entrants, worlds, takingPart, browser, transcripts, proves = false } = toPin;
  return await readPins({
    browser,
    surfaces: surfacesOf(takingPart, entrants, plan),
    deciders: Object.fromEntries(takingPart.map(({ agent }) => [agent, entrants.agent(agent).decider])),
    models: modelsOf(takingPart, entrants),
    entrant_hashes: entrants.fileHashes,
    app_hashes: Object.fromEntries([...worlds].map(([id, { appHash }]) => [id, appHash])),
    app_files: appFiles(worlds),
    world_kinds: worldKinds(plan, worlds),
    archive_hashes: archiveHashes(worlds, plan.live),
    transcript_hashes: transcripts,
    qualifications: plan.live || proves ? {} : await currentQualifications(plan, suites, worlds),
  });
}

const MAX_FILES = 500;

function appFiles(worlds: ToPin['worlds']): Pins['app_files'] {
  return Object.fromEntries(
    [...worlds].flatMap(([id, world]) =>
      world.kind === 'local' && Object.keys(world.files).length <= MAX_FILES ? [[id, world.files]] : [],
    ),
  );
}

/** Reads the proofs of the planned tasks that hold in these worlds, by task. */
async function currentQualifications(
  plan: Plan,
  suites: readonly LoadedSuite[],
  worlds: ReadonlyMap<string, SuiteWorld>,
): Promise<Pins['qualifications']> {
  const pins = await Promise.all(suites.map((suite) => qualificationPins(suite, worlds.get(suite.id)?.appHash ?? '')));
  const planned = new Set(plan.tasks.map(({ suite, task }) => `${suite}/${taskName(task)}`));
  return Object.fromEntries(pins.flatMap(Object.entries).filter(([name]) => planned.has(name)));
}

function surfacesOf(takingPart: Plan['entrants'], entrants: Entrants, plan: Plan): Pins['surfaces'] {
  const surfaces = takingPart.map(({ surface }) => entrants.surface(surface));
  return Object.fromEntries(
    surfaces.map((surface) => {
      const isolation = isolationFor(surface, plan.isolation);
      return [surface.id, { ...traitsOf(surface), isolation }];
    }),
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

/** By `suite/task`, for the suites that are loaded. */
function worldKinds({ tasks, live }: Plan, worlds: ReadonlyMap<string, SuiteWorld>): Pins['world_kinds'] {
  return Object.fromEntries(
    tasks.flatMap(({ suite, task }) => {
      const world = worlds.get(suite);
      return world === undefined ? [] : [[`${suite}/${taskName(task)}`, worldKindOf(world, task.startUrl, live)]];
    }),
  );
}

function archiveHashes(worlds: ReadonlyMap<string, SuiteWorld>, live: boolean): Record<string, string> {
  const hashes = [...worlds].map(([id, world]) => [id, archiveHashOf(world, live)] as const);
  return Object.fromEntries(hashes.flatMap(([id, hash]) => (hash === null ? [] : [[id, hash]])));
}

/**
 * Writes `campaign.json`, or on a resume compares the one in the folder with the plan, code, apps and browser of now.
 * @throws CampaignError `cannot_resume` or `cannot_rerun` naming the changes
 */
export async function openCampaign(campaign: Campaign, pins: Pins): Promise<CampaignFile> {
  const { plan, suiteNames, entrants, folder, again, maxUsd, shard } = campaign;
  const layout = bundleLayout(folder);
  const hash = planHash(plan);
  if (campaign.resume === true) {
    await removeLeftovers(folder);
    const before = await readCampaignFile(layout);
    refuseChanges(before, hash, pins);
    return before;
  }
  if (again !== undefined) refuseOtherGround(again.pins, pins);
  const now = new Date().toISOString();
  const file: CampaignFile = {
    schema_version: 2,
    campaign_id: `${now.replaceAll(/[-:]|\.\d+/g, '')}-${hash.slice(0, 8)}`,
    created_at: now,
    plan_hash: hash,
    plan,
    pins,
    ...(typeof maxUsd === 'number' ? { max_usd: maxUsd } : {}),
    suites: [...suiteNames],
    entrant_files: { agents: [...entrants.files.agents], surfaces: [...entrants.files.surfaces] },
    ...(shard === undefined ? {} : { shard }),
  };
  await writeCampaignFile(layout, file);
  return file;
}

function refuseChanges(campaign: CampaignFile, hash: string, pins: Pins): void {
  const changed = [...(campaign.plan_hash === hash ? [] : ['the plan']), ...pinChanges(campaign.pins, pins)];
  if (changed.length === 0) return;
  const cause = causeOfChange(campaign.pins, pins);
  throw new CampaignError(fact('cannot_resume', { changes: changed.join('; '), cause }));
}

/** The same outcome under other conditions would prove nothing. */
function refuseOtherGround(before: Pins, now: Pins): void {
  const changed = groundChanges(before, now);
  if (changed.length === 0) return;
  throw new CampaignError(fact('cannot_rerun', { changes: changed.join('; ') }));
}

/**
 * Checks after the run that the files of a world are still the pinned ones.
 * @throws CampaignError `world_changed`
 */
export async function refuseOtherFiles(suite: LoadedSuite, pinned: string | undefined): Promise<void> {
  const world = await loadSuiteWorld(suite);
  if (world.appHash === pinned) return;
  throw new CampaignError(fact('world_changed', { suite: suite.id }));
}
