import path from 'node:path';
import type { WorldKind } from '../bundle/row-words.ts';
import { hashJson } from '../contract/canonical.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { loadApp } from '../world/load-app.ts';
import type { Site } from '../world/local.ts';
import { staticSite } from '../world/static-site.ts';
import { hashTree } from './pins.ts';

/** What a suite's episodes need to raise their world. */
export interface SuiteWorld {
  sites: Site[];
  /** Hash of all that the world is made of: its origins, and their files. */
  appHash: string;
}

export async function loadSuiteWorld({ world }: LoadedSuite): Promise<SuiteWorld> {
  const sites: Site[] = [];
  for (const { origin, serves, path: place, standIn } of world.sites) {
    const create = serves === 'app' ? await loadApp(place) : () => staticSite(place);
    sites.push({ origin, create, hasState: serves === 'app', standIn });
  }
  const folders = world.sites.map(({ serves, path: place }) => (serves === 'app' ? path.dirname(place) : place));
  const described = sites.map(({ origin, hasState, standIn }) => ({ origin, hasState, standIn }));
  return { sites, appHash: hashJson({ sites: described, files: await hashTree(folders) }) };
}

/**
 * A task is set on stand-ins when it starts on one, or on a blank page from which its agent may go to any. An episode on
 * an app of ours is called that, though a stand-in may be within reach.
 */
export function worldKindOf(world: SuiteWorld | undefined, startUrl: string, live: boolean): WorldKind {
  const standIns = (world?.sites ?? []).filter(({ standIn }) => standIn).map(({ origin }) => origin);
  const isOnStandIn = startUrl === 'about:blank' ? standIns.length > 0 : standIns.includes(new URL(startUrl).origin);
  if (!isOnStandIn) return 'fixture_app';
  return live ? 'live_web' : 'facsimile';
}
