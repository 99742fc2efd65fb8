import { type Dirent, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { SUITE_FILES } from '../../task/suite.ts';
import { AgentError } from '../agent.ts';
import { SYSTEM } from './bubblewrap.ts';
import type { ExecCommand } from './command.ts';
import { isWithin, realPathOf } from './view.ts';

/** A bundle by its plan, a suite by its file. */
const MARKS = ['campaign.json', ...SUITE_FILES];
/** Folders of what others wrote, which hold no contract of anybody's tasks. */
const FOREIGN = new Set(['node_modules', 'site-packages']);
/** Most folders that are looked into, over all places: it takes about a second. */
const MAX_FOLDERS = 50_000;

/**
 * Suites, bundles and histories (`.git`) below what a command may read, and suites and bundles that this lies in.
 * @throws AgentError `bad_agent_file` when there is too much to look through.
 */
export function contractsNear({ id, folder, readable }: ExecCommand, maxFolders = MAX_FOLDERS): string[] {
  const system = SYSTEM.map(realPathOf).filter((place) => place !== null);
  const places = [folder, ...readable].flatMap((place) => realPathOf(place) ?? []);
  const asked = places.filter((place) => !system.some((each) => isWithin(each, place)));
  const found = asked.flatMap(contractsAbove);
  const queue = [...new Set(asked)];
  for (let looked = 0; looked < queue.length; looked += 1) {
    const at = queue[looked] ?? '';
    if (looked >= maxFolders) throw tooMany(id, asked, maxFolders);
    const entries = entriesOf(at);
    if (entries.some(({ name }) => MARKS.includes(name))) {
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

function contractsAbove(place: string): string[] {
  const found: string[] = [];
  for (let at = path.dirname(place); at !== path.dirname(at); at = path.dirname(at)) {
    if (MARKS.some((name) => existsSync(path.join(at, name)))) found.push(at);
  }
  return found;
}

/** What lies in a folder; nothing where we may not look, and then the command may not either. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function tooMany(id: string, places: readonly string[], maxFolders: number): AgentError {
  const message = `the agent ${id} may read ${places.join(', ')}: more than ${maxFolders} folders, too many to find suites and bundles in`;
  return new AgentError(
    'bad_agent_file',
    message,
    'put it into a folder of its own, and name smaller ones in "readable"',
  );
}
