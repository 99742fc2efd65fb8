import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { packageFolderOf } from '../process/packages.ts';

/** The folder of our package.json, suites and apps, from source or built. */
export function packageRoot(): string {
  const folder = packageFolderOf(import.meta.dirname);
  if (folder === null) throw new Error('package.json of touchstone was not found');
  return folder;
}

export function packageVersion(): string {
  return versionIn(packageRoot());
}

export function versionIn(folder: string): string {
  const manifest = z.object({ version: z.string() });
  return manifest.parse(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))).version;
}
