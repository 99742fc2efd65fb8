import path from 'node:path';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** The nearest folder with a `package.json`, this one or one above it, or null. */
export function packageFolderOf(folder: string): string | null {
  for (let at = folder; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, 'package.json'))) return at;
    if (at === path.dirname(at)) return null;
  }
}

/** An npm package that a user has installed next to us. */
interface InstalledPackage {
  folder: string;
  /** As rows name it: `playwright-core 1.65.1`. */
  version: string;
}

const Manifest = z.looseObject({ version: z.string() });

/** The package that an `import` in a folder, else of ours, would find; or that it is missing, with a remedy. */
export function installedPackage(name: string, first?: string): InstalledPackage | { missing: string } {
  const importers = [...(first === undefined ? [] : [path.join(first, 'importer.js')]), fileURLToPath(import.meta.url)];
  for (const parent of importers.flatMap((file) => createRequire(file).resolve.paths(name) ?? [])) {
    const folder = path.join(parent, name);
    try {
      const { version } = Manifest.parse(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')));
      return { folder, version: `${name} ${version}` };
    } catch {
      // Not here; further up perhaps.
    }
  }
  const ours = packageFolderOf(import.meta.dirname) ?? import.meta.dirname;
  const where = first === undefined ? '' : ` for ${first}, nor for Touchstone in ${ours}`;
  const remedy = `run "npm install ${name}"${first === undefined ? '' : ' in either folder'}`;
  return { missing: `${name} is not installed${where}; ${remedy}` };
}

/** Whether a script would find a package. */
export function canImport(name: string, script: string): boolean {
  try {
    createRequire(script).resolve(name);
    return true;
  } catch (error) {
    // A package without an entry for `require` is found, too.
    return !(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND');
  }
}
