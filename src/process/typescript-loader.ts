import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { packageFolderOf } from './packages.ts';

/** Names that a script may import from `touchstone`. */
interface LoaderOptions {
  virtualModules: { touchstone: Record<string, unknown> };
  /** Whether a file is run again each time that it is loaded. */
  reloads: boolean;
  /** In ms; a machine that is busy takes its time, and an await that never ends takes all of it. */
  deadlineMs?: number;
}

/**
 * Runs a TypeScript file and gives what it exports.
 * The JavaScript of our own package's files is cached next to the packages that we use, as compiling a large suite takes seconds.
 * A file that has changed is compiled again; where that folder cannot be written, every file is.
 * @throws what the file throws, and Error when it does not end in time.
 */
export async function loadTypeScript(
  file: string,
  { virtualModules, reloads, deadlineMs = 120_000 }: LoaderOptions,
): Promise<unknown> {
  // Most commands read no TypeScript.
  const { createJiti } = await import('jiti');
  const own = packageFolderOf(import.meta.dirname);
  const isOwn = own !== null && file.startsWith(own + path.sep);
  const jiti = createJiti(import.meta.url, {
    fsCache: isOwn ? path.join(own, 'node_modules/.cache/touchstone') : false,
    moduleCache: !reloads,
    interopDefault: false,
    virtualModules,
  });
  const late = new AbortController();
  try {
    return await Promise.race([jiti.import(file), timeUp(deadlineMs, late.signal)]);
  } finally {
    late.abort();
  }
}

async function timeUp(ms: number, signal: AbortSignal): Promise<never> {
  await setTimeout(ms, undefined, { signal });
  throw new Error(`it has not ended within ${ms / 1000} s; does it await what never comes?`);
}
