import { type Dirent, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { SYSTEM } from './bubblewrap.ts';
import { isUnder, realPathOf } from './view.ts';

/** Folders of third-party code, which contain no tasks. */
const FOREIGN = new Set(['node_modules', 'site-packages']);
/** The search takes about a second. */
const MAX_FOLDERS = 50_000;

/**
 * Finds folders with a file of one of these names: below the places that a program may read, and above them. `.git` folders below
 * count too.
 * @returns null when there are too many folders to search
 */
export function markedFolders(
  places: readonly string[],
  marks: readonly string[],
  maxFolders = MAX_FOLDERS,
): string[] | null {
  const system = SYSTEM.map(realPathOf).filter((place) => place !== null);
  const real = places.flatMap((place) => realPathOf(place) ?? []);
  const asked = real.filter((place) => !system.some((each) => isUnder(each, place)));
  const found = asked.flatMap((place) => markedAbove(place, marks));
  const queue = [...new Set(asked)];
  for (let looked = 0; looked < queue.length; looked += 1) {
    if (looked >= maxFolders) return null;
    const at = queue[looked] ?? '';
    const entries = entriesOf(at);
    if (entries.some(({ name }) => marks.includes(name))) {
      found.push(at);
      continue;
    }
    for (const entry of entries) {
      if (!entry.isDirectory() || FOREIGN.has(entry.name)) continue;
      (entry.name === '.git' ? found : queue).push(path.join(at, entry.name));
    }
  }
  return found;
}

function markedAbove(place: string, marks: readonly string[]): string[] {
  const found: string[] = [];
  for (let at = path.dirname(place); at !== path.dirname(at); at = path.dirname(at)) {
    if (marks.some((name) => existsSync(path.join(at, name)))) found.push(at);
  }
  return found;
}

/** Lists a folder; empty if we may not read it, since then the program may not either. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
