import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';

/** An npm package that somebody has installed beside us. */
export interface InstalledPackage {
  folder: string;
  /** As rows name it: `playwright-core 1.65.1`. */
  version: string;
}

const Manifest = z.looseObject({ version: z.string() });

/** The package that an `import` of ours would find, or that there is none, and what to do about that. */
export function installedPackage(name: string): InstalledPackage | { missing: string } {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const parent of folders) {
    const folder = path.join(parent, name);
    try {
      const { version } = Manifest.parse(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')));
      return { folder, version: `${name} ${version}` };
    } catch {
      // Not here; further up perhaps.
    }
  }
  return { missing: `${name} is not installed; run "npm install ${name}"` };
}
