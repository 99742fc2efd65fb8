import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** The folder that holds our package.json, suites and apps, whether we run from source or built. */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(path.join(folder, 'package.json'))) {
    const parent = path.dirname(folder);
    if (parent === folder) throw new Error('package.json of touchstone was not found');
    folder = parent;
  }
  return folder;
}

/** Our own version. */
export function packageVersion(): string {
  return versionIn(packageRoot());
}

/** The version in the package.json of a folder. */
export function versionIn(folder: string): string {
  const manifest = z.object({ version: z.string() });
  return manifest.parse(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))).version;
}
