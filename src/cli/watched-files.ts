import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { LoadedSuite } from '../task/load-suite.ts';
import { BUNDLES } from './latest.ts';
import { manifestFileOf } from '../surface/nac3/nac3.ts';
import type { Planned } from './planning.ts';

/** Files and folders that a run was made from. */
export interface Places {
  /** Watched with all that is in them. */
  folders: readonly string[];
  /** Watched with the files next to them that have the same extension, such as modules of an agent. */
  files: readonly string[];
}

/** Folders that tools fill. */
const NOT_WATCHED = new Set(['node_modules', '__pycache__', BUNDLES]);
export const MAX_FILES = 20_000;

/** Returns what suites, apps, agents, surfaces and profiles of faults were read from. */
export function watchedPlaces({ suites, entrants, faults, prompt }: PlacedIn, campaign: string | undefined): Places {
  const named = [...faults, prompt ?? '', campaign ?? ''].filter((name) => path.extname(name) !== '');
  return {
    folders: suites.flatMap((suite) => [path.dirname(suite.file), ...appFoldersOf(suite)]),
    files: [...entrants.files.agents, ...entrants.files.surfaces.map((name) => manifestFileOf(name) ?? name), ...named],
  };
}

type PlacedIn = Pick<Planned, 'suites' | 'faults' | 'prompt'> & { entrants: Pick<Planned['entrants'], 'files'> };

function appFoldersOf({ world }: LoadedSuite): string[] {
  if (world.kind === 'archive') return [path.dirname(world.file)];
  return world.sites.flatMap(({ serves, path: place, files }) => [
    serves === 'app' ? path.dirname(place) : place,
    ...files,
  ]);
}

/** The files of these places as they are now: when each was written, and its size. */
export function filesAt({ folders, files }: Places): Map<string, string> {
  const found = new Map<string, string>();
  for (const folder of folders) look(path.resolve(folder), () => true, true, found);
  for (const file of files) {
    const extension = path.extname(file);
    look(path.dirname(path.resolve(file)), (name) => path.extname(name) === extension, false, found);
  }
  return found;
}

function look(folder: string, isWanted: (name: string) => boolean, isDeep: boolean, found: Map<string, string>): void {
  for (const entry of entriesOf(folder)) {
    const place = path.join(folder, entry.name);
    if (entry.name.startsWith('.') || NOT_WATCHED.has(entry.name) || found.size >= MAX_FILES) continue;
    if (entry.isDirectory()) {
      if (isDeep) look(place, isWanted, true, found);
      continue;
    }
    const stat = isWanted(entry.name) ? statSync(place, { throwIfNoEntry: false }) : undefined;
    if (stat?.isFile() === true) found.set(place, `${stat.mtimeMs} ${stat.size}`);
  }
}

/** A folder may be gone for a moment while it is saved. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export function changedFiles(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...now.keys()])].filter((file) => before.get(file) !== now.get(file));
}

/**
 * Decides whether a change concerns a task. A file of a task, or one named after it, such as a transcript, concerns that task alone; a
 * suite's other files concern its tasks, and files outside of suites concern all.
 */
export function concerns(changed: readonly string[], suites: readonly LoadedSuite[]) {
  return ({ suite: suiteId, task: { id } }: { suite: string; task: { id: string } }): boolean =>
    changed.some((file) => {
      const own = suites.filter((suite) => isIn(path.dirname(suite.file), file));
      if (own.length === 0) return true;
      return own.some((suite) => {
        const about = suite.tasks.filter(
          ({ file: place, task }) => path.resolve(place) === file || path.basename(file).startsWith(`${task.id}.`),
        );
        return suite.id === suiteId && (about.length === 0 || about.some(({ task }) => task.id === id));
      });
    });
}

function isIn(folder: string, file: string): boolean {
  return file.startsWith(path.resolve(folder) + path.sep);
}
