import { resolve } from 'node:path';
import { createJiti } from 'jiti';
import { NOWHERE, unreadable, type ReadSource } from './source.ts';
import { readingProblem, sizeProblem } from './text-file.ts';

/**
 * What `import … from 'touchstone'` means in a task file. `defineTask` checks nothing here: the loader checks what the file
 * exports, and so reports the problems of all its tasks instead of the first one's.
 */
const AUTHORING = { defineTask: (task: unknown) => task };

/** Runs a TypeScript file and takes its default export. */
export async function readScript(file: string): Promise<ReadSource> {
  try {
    const problem = await sizeProblem(file);
    if (problem !== null) return unreadable(problem);
  } catch (error) {
    return unreadable(readingProblem(error));
  }
  try {
    const jiti = createJiti(import.meta.url, {
      fsCache: false,
      moduleCache: false,
      interopDefault: false,
      virtualModules: { touchstone: AUTHORING },
    });
    const exported: unknown = await jiti.import(resolve(file));
    if (typeof exported !== 'object' || exported === null || !('default' in exported)) {
      return unreadable('has no default export; write "export default defineTask({ … })"');
    }
    return { ok: true, source: { value: exported.default, placeOf: () => NOWHERE } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return unreadable(`could not be run: ${reason.split('\n', 1).join('')}; make it run without error`);
  }
}
