import { stat } from 'node:fs/promises';
import path from 'node:path';
import { changedSince, loadQualification, qualificationFile, waiversOf } from '../plan/qualification.ts';
import { taskName } from '../task/instance.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { worldFiles } from './world-files.ts';

/** By `suite/task`, all that is otherwise than the task's proof has it. A current proof is not in it, nor is a task that was never proved. */
export type StaleProofs = ReadonlyMap<string, readonly string[]>;

/** @param appHashes the worlds of the suites as they are now, by suite */
export async function staleProofs(
  suites: readonly LoadedSuite[],
  appHashes: Readonly<Record<string, string | undefined>>,
): Promise<StaleProofs> {
  const stale = new Map<string, string[]>();
  for (const suite of suites) {
    // One that cannot be read was refused before anything ran.
    const read = await loadQualification(suite);
    if (!read.ok || read.proof === null) continue;
    const { app_hash: provedOn, tasks } = read.proof;
    const ofWorld = provedOn === appHashes[suite.id] ? [] : [await worldOf(suite)];
    for (const { task } of suite.tasks) {
      const name = taskName(task);
      const found = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
      if (found === undefined) continue;
      const changed = [...ofWorld, ...changedSince(found, task, waiversOf(suite, name))];
      if (changed.length > 0) stale.set(`${suite.id}/${name}`, changed);
    }
  }
  return stale;
}

/** Names what the hash of a world is made of, and which of it looks changed: the hash is one for all files, so it cannot tell. */
async function worldOf(suite: LoadedSuite): Promise<string> {
  const { file, world } = suite;
  if (world.kind === 'archive') return `the archive ${shown(world.file)}, or to the queries that are ignored in it`;
  const folders = world.sites.flatMap((site) => [
    site.serves === 'app' ? path.dirname(site.path) : site.path,
    ...site.files,
  ]);
  const places = [...new Set(folders.map((folder) => shown(folder) || 'this folder'))];
  const later = await laterThanProof(suite);
  const suspects = later.length === 0 ? '' : `; changed or added after the proof was made: ${someOf(later)}`;
  return `the app (a file in ${places.join(', ')}, or its entry in ${shown(file)}${suspects})`;
}

/** Most that are named of a kind. */
const NAMED = 3;
/** Time, in ms, between two files that a checkout or a copy still wrote in one go. */
const IN_ONE_GO_MS = 2_000;

/**
 * Lists the files of a world that were written after its proof, the last first. What was written in one go with the proof, as
 * everything is in a fresh clone, is not counted.
 */
async function laterThanProof(suite: LoadedSuite): Promise<string[]> {
  const proved = await timeOf(qualificationFile(suite));
  const files = await Promise.all((await worldFiles(suite)).map(async (file) => ({ file, at: await timeOf(file) })));
  const after = files.filter(({ at }) => at > proved).toSorted((a, b) => a.at - b.at);
  const first = after.findIndex(({ at }, index) => at - (after[index - 1]?.at ?? proved) > IN_ONE_GO_MS);
  return first === -1 ? [] : [...new Set(after.slice(first).map(({ file }) => shown(file)))].toReversed();
}

/** Time of the last change of a file, in ms; of one that has gone meanwhile, long ago. */
async function timeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).mtimeMs;
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}

/** Names the first of several, and counts the rest. */
export function someOf(names: readonly string[]): string {
  const rest = names.length - NAMED;
  return rest > 0 ? `${names.slice(0, NAMED).join(', ')} and ${rest} more` : names.join(', ');
}

/** A place as seen from where the user types; empty of that folder itself. */
function shown(place: string): string {
  return path.relative('.', place);
}
