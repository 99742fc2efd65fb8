import path from 'node:path';
import { createJiti } from 'jiti';
import { packageFolderOf } from './package-folder.ts';

/** What a script may import from `touchstone`. */
interface LoaderOptions {
  virtualModules: { touchstone: Record<string, unknown> };
  /** Whether a file is run anew each time that it is loaded. */
  anew: boolean;
}

/**
 * Runs a TypeScript file and gives what it exports.
 * What files of our own package become as JavaScript is kept beside the packages that we use, as it takes seconds for a large
 * suite. A file that has changed is turned anew; where that folder cannot be written, every file is.
 */
export async function loadTypeScript(file: string, { virtualModules, anew }: LoaderOptions): Promise<unknown> {
  const own = packageFolderOf(import.meta.dirname);
  const isOwn = own !== null && file.startsWith(own + path.sep);
  const jiti = createJiti(import.meta.url, {
    fsCache: isOwn ? path.join(own, 'node_modules/.cache/touchstone') : false,
    moduleCache: !anew,
    interopDefault: false,
    virtualModules,
  });
  return await jiti.import(file);
}
