import path from 'node:path';
import { taskName } from '../task/instance.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { changedSince, loadQualification, waiversOf } from './qualification.ts';

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
    for (const { task } of suite.tasks) {
      const name = taskName(task);
      const found = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
      if (found === undefined) continue;
      const ofWorld = provedOn === appHashes[suite.id] ? [] : [worldOf(suite)];
      const changed = [...ofWorld, ...changedSince(found, task, waiversOf(suite, name))];
      if (changed.length > 0) stale.set(`${suite.id}/${name}`, changed);
    }
  }
  return stale;
}

/** Names what the hash of a world is made of: it is one for all files, so it does not say which of them has changed. */
function worldOf({ file, world }: Pick<LoadedSuite, 'file' | 'world'>): string {
  const shown = (place: string) => path.relative(path.dirname(path.resolve(file)), place) || 'the folder of the suite';
  if (world.kind === 'archive') return `the archive ${shown(world.file)}, or the queries that are ignored in it`;
  const folders = world.sites.flatMap((site) => [
    site.serves === 'app' ? path.dirname(site.path) : site.path,
    ...site.files,
  ]);
  const named = [...new Set(folders.map(shown))];
  return `the app, by a file in ${named.join(', ')} or its entry in the suite file`;
}
