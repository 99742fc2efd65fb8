import { stat } from 'node:fs/promises';
import path from 'node:path';
import { changedSince, entryOf, loadQualification, qualificationFile, waiversOf } from '../plan/qualification.ts';
import { taskName } from '../task/instance.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { worldFiles } from './world-files.ts';
import { statSync } from 'node:fs';
import { requireBrowser } from '../browser/find.ts';
import { hashJson } from '../contract/canonical.ts';
import { hashTree } from '../plan/pins.ts';

/** Changes since the proof of a task, by `suite/task`; no entry for a current proof, or for a task without one. */
export type StaleProofs = ReadonlyMap<string, readonly string[]>;

export async function staleProofs(
  suites: readonly LoadedSuite[],
  appHashes: Readonly<Record<string, string | undefined>>,
): Promise<StaleProofs> {
  const stale = new Map<string, string[]>();
  for (const suite of suites) {
    const read = await loadQualification(suite);
    if (!read.ok || read.proof === null) continue;
    const { app_hash: provedOn } = read.proof;
    const ofWorld = provedOn === appHashes[suite.id] ? [] : [await worldOf(suite)];
    for (const { task } of suite.tasks) {
      const name = taskName(task);
      const found = entryOf(read.proof, name);
      if (found === null) continue;
      const changed = [...ofWorld, ...changedSince(found, task, waiversOf(suite, name))];
      if (changed.length > 0) stale.set(`${suite.id}/${name}`, changed);
    }
  }
  return stale;
}

/** Names the parts of a world, and the files that look changed: its one hash does not show which are. */
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

const NAMED = 3;
/** Most time between two files that one checkout or copy wrote, in ms. */
const IN_ONE_GO_MS = 2_000;

/** Lists the files of a world that were written after its proof, the last first, without those of the same checkout. */
async function laterThanProof(suite: LoadedSuite): Promise<string[]> {
  const proved = await timeOf(qualificationFile(suite));
  const files = await Promise.all((await worldFiles(suite)).map(async (file) => ({ file, at: await timeOf(file) })));
  const after = files.filter(({ at }) => at > proved).toSorted((a, b) => a.at - b.at);
  const first = after.findIndex(({ at }, index) => at - (after[index - 1]?.at ?? proved) > IN_ONE_GO_MS);
  return first === -1 ? [] : [...new Set(after.slice(first).map(({ file }) => shown(file)))].toReversed();
}

/** Time of the last change of a file, in ms; -∞ if it is gone. */
async function timeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).mtimeMs;
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}

export function someOf(names: readonly string[]): string {
  const rest = names.length - NAMED;
  return rest > 0 ? `${names.slice(0, NAMED).join(', ')} and ${rest} more` : names.join(', ');
}

/** A path relative to the working directory; empty for that folder itself. */
function shown(place: string): string {
  return path.relative('.', place);
}

/** The folders of the code that acts, serves and captures, but does not judge. */
const ACTING = ['agent', 'browser', 'contract/dom', 'episode', 'fault', 'model', 'plan', 'process', 'run', 'surface'];
const SERVING = ['task', 'world'];

/**
 * SHA-256 of the conditions of a suite's episodes: its world, the code that runs them, Node, the browser.
 * @throws BrowserError without a browser
 */
export async function groundHash({ appHash, seed }: { appHash: string; seed: number }): Promise<string> {
  const folders = [...ACTING, ...SERVING].map((name) => path.join(import.meta.dirname, '..', name));
  const { path: binary } = requireBrowser('full');
  const { size, mtimeMs } = statSync(binary);
  const browser = { binary, size, mtime: mtimeMs };
  return hashJson({ appHash, seed, code: await hashTree({ places: folders }), node: process.version, browser });
}
