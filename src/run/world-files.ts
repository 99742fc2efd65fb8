import { existsSync } from 'node:fs';
import path from 'node:path';
import { isPackedBundle } from '../bundle/pack.ts';
import { hashedFiles, type HashedTree } from '../plan/pins.ts';
import { qualificationFile } from '../plan/qualification.ts';
import type { SoundParts } from '../task/load-suite.ts';
import { CONTRACT_MARKS } from '../task/suite-file.ts';
import type { LoadedSite, LoadedWorld } from '../task/suite-paths.ts';
import { isOutsideAppInstalled, placesLeftOut } from '../world/outside-app/outside-app.ts';

export type SuiteFiles = Omit<SoundParts, 'world'>;

export async function worldFiles({ world, ...suite }: SoundParts): Promise<string[]> {
  if (world.kind === 'archive') return [world.file];
  return (await hashedFiles(worldTree(suite, world))).map(({ file }) => file);
}

/** Selects the files of a world. */
export function worldTree(suite: SuiteFiles, world: LoadedWorld & { kind: 'local' }): HashedTree {
  const { sites } = world;
  const programs = new Set(sites.flatMap(({ serves, path: place }) => (serves === 'program' ? [place] : [])));
  const served = new Set(sites.flatMap(({ serves, path: place, files }) => (serves === 'static' ? [place] : files)));
  const others = filesNextToWorld(suite, world);
  const places = sites.flatMap(placesOf);
  const named = new Map(places.map((place) => [place, leftOutOf(place, sites)]));
  return {
    places,
    leftOut: (found, place, is) => {
      if (named.get(place)?.has(path.resolve(found)) === true) return true;
      if (is === 'file' && others.has(path.resolve(found))) return true;
      if (is === 'folder' && programs.has(place) && isOutsideAppInstalled(found)) return true;
      return (programs.has(place) || !served.has(place)) && isNoPartOfApp(found, is);
    },
  };
}

function placesOf({ serves, path: place, files }: LoadedSite): string[] {
  return [serves === 'app' ? path.dirname(place) : place, ...files];
}

/** The paths in a folder that every site which uses it leaves out. */
function leftOutOf(place: string, sites: readonly LoadedSite[]): ReadonlySet<string> {
  const [first = new Set<string>(), ...others] = sites
    .filter((site) => placesOf(site).includes(place))
    .map(({ program, files }) =>
      program === undefined || files.includes(place) ? new Set<string>() : placesLeftOut(place, program),
    );
  return new Set([...first].filter((each) => others.every((other) => other.has(each))));
}

/** Whether something within an app's folder is not part of the app, because it holds contracts, bundles or history. */
export function isNoPartOfApp(place: string, is: 'file' | 'folder'): boolean {
  if (is === 'file') return isPackedBundle(place);
  return path.basename(place) === '.git' || CONTRACT_MARKS.some((mark) => existsSync(path.join(place, mark)));
}

/** The files of a suite that are not part of its world though an app may lie next to them: a proof must not make itself stale. */
function filesNextToWorld(suite: SuiteFiles, { sites }: LoadedWorld & { kind: 'local' }) {
  const files = [suite.file, qualificationFile(suite), ...suite.tasks.map(({ file }) => file)];
  const readme = path.join(path.dirname(suite.file), 'README.md');
  const served = sites.flatMap((site) => (site.serves === 'app' ? site.files : [site.path, ...site.files]));
  const isServed = served.some((place) => !path.relative(place, readme).startsWith('..'));
  return new Set([...files, ...(isServed ? [] : [readme])].map((file) => path.resolve(file)));
}
