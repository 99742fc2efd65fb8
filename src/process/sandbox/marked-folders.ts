import { type Dirent, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { SYSTEM } from './bubblewrap.ts';
import { isUnder, realPathOf } from './view.ts';

/** Folders of third-party code, which hold no tasks. */
const FOREIGN = new Set(['node_modules', 'site-packages']);
/** Most folders that are looked into, over all places: it takes about a second. */
const MAX_FOLDERS = 50_000;

/**
 * Folders that hold a file of one of these names, and histories (`.git`), below what a program may read; and folders with
 * such a file that these places lie in.
 * @returns null when there is too much to look through
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

/** List a folder; nothing where we may not look, and then the program may not either. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
