import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../contract/message-of.ts';
import { identityOfProcess, isRunning } from '../../process/own-folder.ts';
import { fact } from '../../messages/messages.ts';
import { WorldError } from '../error.ts';
import { installationOf, isInstalled, Lockfile, type PinnedApp, STAMP } from './cache.ts';

/** Number of characters that are kept of what npm prints. */
const MAX_OUTPUT = 4_000;
/** Time, in ms, for which a registry may be silent, unless npm is set otherwise: it would wait for five minutes, and ask again. */
const SILENCE_MS = 30_000;
/** npm's error (10) when the registry stopped answering. */
const SILENT = /EIDLETIMEOUT|network timeout/;

/**
 * Installs what an application's lockfile pins, without running any script of a package. It installs into a folder next to
 * the right one, which is renamed at the end, so that a killed installation leaves nothing that looks complete.
 * @throws WorldError with the output of npm.
 */
export async function installApp(app: PinnedApp): Promise<void> {
  const place = installationOf(app);
  const folder = path.dirname(place);
  const unfinished = `${place}.${identityOfProcess(process.pid)}.tmp`;
  try {
    mkdirSync(folder, { recursive: true });
    removeAbandoned(folder, path.basename(place));
    mkdirSync(unfinished);
    for (const name of ['package.json', 'package-lock.json']) {
      cpSync(path.join(app.folder, name), path.join(unfinished, name));
    }
    await npmCi(unfinished);
    verify(unfinished);
    writeFileSync(path.join(unfinished, STAMP), `${app.lockHash}\n`);
    rmSync(place, { recursive: true, force: true });
    renameSync(unfinished, place);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process may have been faster.
    if (isInstalled(app)) return;
    const { package: name, version } = app;
    throw new WorldError(fact('app_cannot_be_installed', { package: name, version, why: messageOf(error) }), error);
  }
}

/** Removes what installations of the same application left when they were killed. */
function removeAbandoned(folder: string, name: string): void {
  for (const each of readdirSync(folder)) {
    const owner = each.startsWith(`${name}.`) ? /\.(\d+-\d+)\.tmp$/.exec(each)?.[1] : undefined;
    if (owner !== undefined && !isRunning(owner)) rmSync(path.join(folder, each), { recursive: true, force: true });
  }
}

/** Installs, and again if the registry fell silent: npm itself retries only if the registry never began to answer. */
async function npmCi(folder: string): Promise<void> {
  let problem = await npmProblem(folder);
  if (problem !== null && SILENT.test(problem)) problem = await npmProblem(folder);
  if (problem !== null) throw new Error(problem);
}

/** Runs `npm ci`. Returns its output if it failed, else null. */
async function npmProblem(folder: string): Promise<string | null> {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = spawn('npm', args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
    env: { npm_config_fetch_timeout: String(SILENCE_MS), ...process.env },
  });
  let printed = '';
  npm.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-MAX_OUTPUT);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    npm.once('error', reject).once('close', resolve);
  });
  return code === 0 ? null : `npm ended with ${code ?? 'a signal'}: ${printed.trim()}`;
}

/**
 * Compares what npm notes of an installation with the lockfile: nothing else may be there, and only what is optional may
 * be missing.
 */
function verify(folder: string): void {
  const pinned = packagesIn(path.join(folder, 'package-lock.json'));
  const found = packagesIn(path.join(folder, 'node_modules/.package-lock.json'));
  for (const [place, { version, integrity }] of found) {
    const pin = pinned.get(place);
    if (pin?.version !== version || pin?.integrity !== integrity) throw new Error(`${place} is not what is pinned`);
  }
  for (const [place, { optional }] of pinned) {
    if (place !== '' && optional !== true && !found.has(place)) throw new Error(`${place} is missing`);
  }
}

function packagesIn(file: string): Map<string, Lockfile['packages'][string]> {
  return new Map(Object.entries(Lockfile.parse(JSON.parse(readFileSync(file, 'utf8'))).packages));
}
