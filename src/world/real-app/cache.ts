import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { cacheFolder } from '../../process/own-folder.ts';

/** A lockfile as npm writes it, in the parts that we read. */
export const Lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      integrity: z.string().optional(),
      optional: z.boolean().optional(),
    }),
  ),
});
export type Lockfile = z.infer<typeof Lockfile>;

/** A real application as its lockfile pins it. */
export interface PinnedApp {
  /** The folder of the app file, with package.json and package-lock.json. */
  folder: string;
  name: string;
  package: string;
  version: string;
  /** As the package itself names it; null when it names none. */
  licence: string | null;
  /** SHA-256 of the lockfile. */
  lockHash: string;
}

/** Written last, so that a folder without it is not an installation. It holds the hash of the lockfile. */
export const STAMP = '.touchstone-installed';

/**
 * Finds a package in the lockfile next to an app file.
 * @throws Error when the lockfile does not pin it.
 */
export function readPin(folder: string, name: string): PinnedApp {
  const bytes = readFileSync(path.join(folder, 'package-lock.json'));
  const pinned = Lockfile.parse(JSON.parse(bytes.toString('utf8'))).packages[`node_modules/${name}`];
  if (pinned?.version === undefined) throw new Error(`${folder}/package-lock.json does not pin ${name}`);
  const { version, license: licence = null } = pinned;
  const lockHash = createHash('sha256').update(bytes).digest('hex');
  return { folder, name: path.basename(folder), package: name, version, licence, lockHash };
}

/** The folder of an application's installation, whether it is there or not. */
export function installationOf({ name, version }: PinnedApp, env?: NodeJS.ProcessEnv): string {
  return path.join(cacheFolder('apps', env), `${name}-${version}`);
}

/** Whether everything that the lockfile pins is installed. */
export function isInstalled(app: PinnedApp, env?: NodeJS.ProcessEnv): boolean {
  try {
    return readFileSync(path.join(installationOf(app, env), STAMP), 'utf8').trim() === app.lockHash;
  } catch {
    return false;
  }
}
