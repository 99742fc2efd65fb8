import path from 'node:path';
import { messageOf } from '../contract/message-of.ts';
import type { WorldKind } from '../bundle/row-words.ts';
import { hashJson } from '../contract/canonical.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { loadApp } from '../world/load-app.ts';
import type { CreateApp } from '../world/app.ts';
import { WorldError } from '../world/error.ts';
import { type LocalWorldOptions, type Site, startLocalWorld } from '../world/local.ts';
import { realAppOf } from '../world/real-app/define-real-app.ts';
import { staticSite } from '../world/static-site.ts';
import type { PlannedTask } from './plan.ts';
import { hashTree } from './pins.ts';

/** What a suite's episodes need to raise their world. */
export interface SuiteWorld {
  sites: Site[];
  /** Which of them are real applications. */
  realApps: ReadonlySet<string>;
  /** Hash of all that the world is made of: its origins, and their files. */
  appHash: string;
}

export async function loadSuiteWorld({ world }: LoadedSuite): Promise<SuiteWorld> {
  const sites: Site[] = [];
  const realApps = new Set<string>();
  for (const { origin, serves, path: place, standIn } of world.sites) {
    const create = serves === 'app' ? await loadApp(place) : () => staticSite(place);
    if (realAppOf(create) !== null) realApps.add(origin);
    sites.push({ origin, create: naming(place, create), hasState: serves === 'app', standIn });
  }
  const folders = world.sites.map(({ serves, path: place }) => (serves === 'app' ? path.dirname(place) : place));
  const described = sites.map(({ origin, hasState, standIn }) => ({ origin, hasState, standIn }));
  return { sites, realApps, appHash: hashJson({ sites: described, files: await hashTree(folders) }) };
}

/** An app whose error, when it cannot be made, names its file. */
function naming(file: string, create: CreateApp): CreateApp {
  return async (parameters) => {
    try {
      return await create(parameters);
    } catch (error) {
      if (error instanceof WorldError) throw error;
      throw new Error(`${file}: ${messageOf(error)}`, { cause: error });
    }
  };
}

/**
 * The sites that an episode needs. Of real applications, which are slow to start, it is the one on which its task starts;
 * the others are outside its world.
 */
export function sitesFor(world: SuiteWorld | undefined, startUrl: string): Site[] {
  const { sites = [], realApps = new Set() } = world ?? {};
  return sites.filter(({ origin }) => !realApps.has(origin) || isAt(startUrl, origin));
}

function isAt(startUrl: string, origin: string): boolean {
  return startUrl !== 'about:blank' && new URL(startUrl).origin === origin;
}

/**
 * Makes the apps once for each set of parameters that a plan has, and closes them again: what cannot be made is known
 * before there is a bundle.
 * @throws WorldError naming the app.
 */
export async function tryWorlds(
  tasks: readonly PlannedTask[],
  worlds: ReadonlyMap<string, SuiteWorld>,
  setting: Pick<LocalWorldOptions, 'identity' | 'live'>,
): Promise<void> {
  const tried = new Set<string>();
  for (const { suite, task } of tasks) {
    const parameters = task.instance?.parameters ?? {};
    const sites = sitesFor(worlds.get(suite), task.startUrl);
    const key = hashJson({ suite, parameters, origins: sites.map(({ origin }) => origin) });
    if (tried.has(key)) continue;
    tried.add(key);
    const world = await startLocalWorld({ ...setting, sites, parameters });
    await world.close();
  }
}

/**
 * A task is set on stand-ins when it starts on one, or on a blank page from which its agent may go to any. An episode on
 * an app of ours is called that, though a stand-in may be within reach.
 */
export function worldKindOf(world: SuiteWorld | undefined, startUrl: string, live: boolean): WorldKind {
  const standIns = (world?.sites ?? []).filter(({ standIn }) => standIn).map(({ origin }) => origin);
  const isOnStandIn = startUrl === 'about:blank' ? standIns.length > 0 : standIns.includes(new URL(startUrl).origin);
  if (!isOnStandIn) {
    const isReal = [...(world?.realApps ?? [])].some((origin) => isAt(startUrl, origin));
    return isReal ? 'real_app' : 'fixture_app';
  }
  return live ? 'live_web' : 'facsimile';
}
