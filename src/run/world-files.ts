import { existsSync } from 'node:fs';
import path from 'node:path';
import { hashedFiles, type HashedTree } from '../plan/pins.ts';
import { qualificationFile } from '../plan/qualification.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { CONTRACT_MARKS } from '../task/suite-file.ts';
import type { LoadedWorld } from '../task/suite-paths.ts';
import { isOutsideAppInstalled } from '../world/outside-app/outside-app.ts';

/** The files of all apps of a suite: those that the hash of its world is made over. */
export async function worldFiles({
  world,
  ...suite
}: Pick<LoadedSuite, 'file' | 'tasks' | 'world'>): Promise<string[]> {
  if (world.kind === 'archive') return [world.file];
  return (await hashedFiles(worldTree(suite, world))).map(({ file }) => file);
}

/** Tells which files are those of a world. */
export function worldTree(
  suite: Pick<LoadedSuite, 'file' | 'tasks'>,
  world: LoadedWorld & { kind: 'local' },
): HashedTree {
  const { sites } = world;
  const programs = new Set(sites.flatMap(({ serves, path: place }) => (serves === 'program' ? [place] : [])));
  return {
    places: sites.flatMap(({ serves, path: place, files }) => [
      serves === 'app' ? path.dirname(place) : place,
      ...files,
    ]),
    except: besideWorld(suite, world),
    leftOut: (folder, place) => programs.has(place) && (isOutsideAppInstalled(folder) || isNoPartOfApp(folder)),
  };
}

/** Whether a folder in that of a program is no part of it: what holds contracts, bundles too, and its history. */
export function isNoPartOfApp(folder: string): boolean {
  return path.basename(folder) === '.git' || CONTRACT_MARKS.some((mark) => existsSync(path.join(folder, mark)));
}

/** The files of a suite that are no part of its world, though an app may lie beside them: its proof would make itself stale. */
function besideWorld(suite: Pick<LoadedSuite, 'file' | 'tasks'>, { sites }: LoadedWorld & { kind: 'local' }) {
  const files = [suite.file, qualificationFile(suite), ...suite.tasks.map(({ file }) => file)];
  const readme = path.join(path.dirname(suite.file), 'README.md');
  const served = sites.flatMap((site) => (site.serves === 'app' ? site.files : [site.path, ...site.files]));
  const isServed = served.some((place) => !path.relative(place, readme).startsWith('..'));
  return new Set([...files, ...(isServed ? [] : [readme])].map((file) => path.resolve(file)));
}
