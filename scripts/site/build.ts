import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../src/contract/message-of.ts';
import { packageRoot } from '../../src/plan/package-root.ts';
import { linkProblems } from './built-links.ts';

/**
 * The generator, its packages and its configuration: none of the package's own, so that only those install them who build
 * the site. Pages are staged below it, where they find those packages.
 */
export const GENERATOR = path.join(packageRoot(), 'site');

/** A site that could not be built, or has links that lead nowhere. */
export class SiteError extends Error {
  override name = 'SiteError';
}

/** Installs what builds the site, if that has not been done since its lockfile changed. */
export function installGenerator(note: (line: string) => void): void {
  const lock = createHash('sha256')
    .update(readFileSync(path.join(GENERATOR, 'package-lock.json')))
    .digest('hex');
  const stamp = path.join(GENERATOR, 'node_modules', '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  note('installing what builds the site, which takes about a minute …');
  // As in scripts/setup.mjs: a registry may lack a binary for another platform, which `npm ci` refuses.
  if (npm('ci') !== 0 && npm('install', '--no-save') !== 0)
    throw new SiteError('what builds the site could not be installed; see what npm printed above');
  writeFileSync(stamp, lock);
}

function npm(...command: string[]): number | null {
  const args = [...command, '--no-fund', '--no-audit', '--loglevel=error'];
  const isWindows = process.platform === 'win32';
  return spawnSync('npm', args, { cwd: GENERATOR, stdio: ['ignore', 2, 2], shell: isWindows }).status;
}

/** Time between two lines about a running build. */
const TOLD_EVERY_MS = 5_000;

/** Prints what is under way, and for how long, until it is over. */
async function toldAbout<T>(what: string, note: (line: string) => void, work: Promise<T>): Promise<T> {
  const began = performance.now();
  note(`${what} …`);
  const timer = setInterval(() => {
    note(`${what} … ${Math.round((performance.now() - began) / 1000)} s`);
  }, TOLD_EVERY_MS);
  return await work.finally(() => {
    clearInterval(timer);
  });
}

/**
 * Builds a site from pages that were staged in a folder of the generator's.
 * @throws SiteError when a page cannot be built, or a link leads nowhere.
 */
export async function buildPages(
  staged: string,
  built: string,
  { base = '/', note = () => {} }: { base?: string; note?: (line: string) => void } = {},
): Promise<void> {
  const program = path.join(GENERATOR, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    SITE_PAGES: staged,
    SITE_BUILT: built,
    SITE_BASE: base,
    NO_COLOR: '1',
  };
  const building = promisify(execFile)(process.execPath, [program, 'build', GENERATOR], { env });
  await toldAbout('building the site', note, building).catch((error: unknown) => {
    throw new SiteError(`the site could not be built: ${messageOf(error)}`);
  });
  note('checking its links …');
  const problems = linkProblems(built, base);
  if (problems.length > 0) throw new SiteError(`the site has links that lead nowhere:\n${problems.join('\n')}`);
}
