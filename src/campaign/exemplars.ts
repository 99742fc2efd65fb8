import { readFile } from 'node:fs/promises';
import { perceptualHash } from '../contract/perceptual-hash.ts';
import type { Task } from '../task/schema.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { classReferences } from '../task/screenshot-classes.ts';

/** Hashes the exemplars of all suites; the result gives a task the classes that its contract refers to. */
export async function screenshotHashes(
  suites: readonly LoadedSuite[],
): Promise<(suite: LoadedSuite, task: Task) => Record<string, string[]>> {
  const hashes = new Map<LoadedSuite, Map<string, string[]>>();
  for (const suite of suites) {
    const ofSuite = new Map<string, string[]>();
    for (const [id, files] of Object.entries(suite.exemplars)) {
      ofSuite.set(id, await Promise.all(files.map(async (file) => perceptualHash(await readFile(file)))));
    }
    hashes.set(suite, ofSuite);
  }
  return (suite, task) =>
    Object.fromEntries(classReferences(task).map(({ classId }) => [classId, hashes.get(suite)?.get(classId) ?? []]));
}
