import path from 'node:path';
import type { LoadedSuite } from '../task/load-suite.ts';
import { loadApp } from '../world/load-app.ts';
import type { Site } from '../world/local.ts';
import { staticSite } from '../world/static-site.ts';
import { hashTree } from './pins.ts';

/** What a suite's episodes need to raise their world. */
export interface SuiteWorld {
  sites: Site[];
  /** Hash of all files that the world is made of. */
  appHash: string;
}

export async function loadSuiteWorld({ world }: LoadedSuite): Promise<SuiteWorld> {
  const sites: Site[] = [];
  for (const { origin, serves, path: place, standIn } of world.sites) {
    const create = serves === 'app' ? await loadApp(place) : () => staticSite(place);
    sites.push({ origin, create, hasState: serves === 'app', standIn });
  }
  const folders = world.sites.map(({ serves, path: place }) => (serves === 'app' ? path.dirname(place) : place));
  return { sites, appHash: await hashTree(folders) };
}
