import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Hidden } from './confined.ts';

/** A place as a program finds it: its content, to be read, or an empty folder. */
export interface SandboxPath {
  place: string;
  shows: 'what is there' | 'nothing';
}

export interface ViewNeeds {
  /** Places that programs need to run, wherever they lie. */
  needed: readonly string[];
  /** The folder of the program, and what it asks for. */
  asked: readonly string[];
  hidden: Hidden;
}

/**
 * A program's view of the file system: each place below those before it. Places are compared by where they really are,
 * so that no link leads around what is hidden.
 */
export function viewOf({ needed, asked, hidden }: ViewNeeds): SandboxPath[] {
  const contracts = foldersOf(hidden.contracts);
  const empty = [...contracts, ...foldersOf(hidden.around)];
  const seen = new Map<string, SandboxPath['shows']>();
  const show = (place: string, real: string): void => {
    if (seen.get(place) !== 'nothing') seen.set(place, 'what is there');
    for (const each of empty) if (isUnder(real, each)) seen.set(path.join(place, path.relative(real, each)), 'nothing');
  };
  const places = [...needed, ...asked];
  for (const place of places) {
    const real = realPathOf(place);
    // A whole machine is never shown.
    if (real === null || real === path.parse(real).root) continue;
    const isOfContracts = asked.includes(place) && contracts.some((each) => isUnder(each, real));
    // A link that lies in what is seen anyway leads on by itself.
    const isLink = places.some((each) => each !== place && isUnder(each, place));
    for (const name of isLink ? [real] : new Set([place, real])) {
      if (isOfContracts) seen.set(name, 'nothing');
      else show(name, real);
    }
  }
  const sorted = [...seen].map(([place, shows]) => ({ place, shows })).toSorted((a, b) => (a.place < b.place ? -1 : 1));
  return sorted.filter((each, index) => each.shows === 'what is there' || !isInNothing(each, sorted.slice(0, index)));
}

/** Whether there is nothing around it anyway. */
function isInNothing({ place }: SandboxPath, before: readonly SandboxPath[]): boolean {
  return before.findLast((each) => isUnder(each.place, place))?.shows === 'nothing';
}

/** The real path of a place, links followed; null if it does not exist. */
export function realPathOf(place: string): string | null {
  try {
    return realpathSync(place);
  } catch {
    return null;
  }
}

/** Whether a real path is that folder, or lies in it. */
export function isUnder(folder: string, place: string): boolean {
  const way = path.relative(folder, place);
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

function foldersOf(places: readonly string[]): string[] {
  return places.flatMap((place) => {
    const real = realPathOf(place);
    return real !== null && statSync(real).isDirectory() ? real : [];
  });
}
