import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fact } from '../messages/messages.ts';
import { BrowserError } from './error.ts';
import { findBrowser, type BrowserBinary, type BrowserKind } from './find.ts';

export interface InstallHost {
  isRoot: boolean;
  /** Content of `/etc/os-release`, or null. */
  osRelease: string | null;
}

type Step = readonly [string, ...string[]];

/** @throws BrowserError `browser_not_installed` with the commands run */
export async function installBrowser(kind: BrowserKind, log: (line: string) => void): Promise<BrowserBinary> {
  const failures: string[] = [];
  for (const way of waysToInstall(kind, thisHost())) {
    const failure = await follow(way, log);
    const found = failure === null ? findBrowser(kind) : null;
    if (found !== null) return found;
    failures.push(failure ?? 'the installer ended well, but no browser is where it should be');
  }
  throw new BrowserError(fact('browser_not_installed', { failures: failures.join('; ') }));
}

/** Installs a browser from the packages of the system, if we know how; after a failure, only the commands are logged. */
export async function installFromSystem(kind: BrowserKind, log: (line: string) => void): Promise<void> {
  if (usesApt(thisHost())) await follow(withApt(kind), log);
}

/** The ways to install a browser on such a machine, the best first; each is a list of commands. */
export function waysToInstall(kind: BrowserKind, host: InstallHost): Step[][] {
  return usesApt(host) ? [withApt(kind), withPlaywright(kind)] : [withPlaywright(kind)];
}

function usesApt({ isRoot, osRelease }: InstallHost): boolean {
  return isRoot && osRelease !== null && /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(osRelease);
}

function withApt(kind: BrowserKind): Step[] {
  const names = kind === 'full' ? ['chromium', 'fonts-liberation'] : ['chromium-headless-shell', 'fonts-liberation'];
  return [
    ['apt-get', 'update', '-q'],
    ['apt-get', 'install', '-q', '-y', '--no-install-recommends', ...names],
  ];
}

function withPlaywright(kind: BrowserKind): Step[] {
  const manifest = createRequire(import.meta.url).resolve('playwright-core/package.json');
  const installer = path.join(path.dirname(manifest), 'cli.js');
  return [[process.execPath, installer, 'install', kind === 'full' ? 'chromium' : 'chromium-headless-shell']];
}

function thisHost(): InstallHost {
  const file = '/etc/os-release';
  return {
    isRoot: process.getuid?.() === 0,
    osRelease: existsSync(file) ? readFileSync(file, 'utf8') : null,
  };
}

/** Runs the commands one after the other; returns what went wrong, or null if all succeeded. */
async function follow(way: readonly Step[], log: (line: string) => void): Promise<string | null> {
  for (const [command, ...args] of way) {
    const line = [command, ...args].join(' ');
    log(`installing the browser: ${line}`);
    const problem = await run(command, args, log);
    if (problem !== null) return `"${line}" ${problem}`;
  }
  return null;
}

/** The lines in which apt and Playwright's installer report the size of a download, and its progress. */
const TELLS_SIZE = /^(?:Need to get|After this operation|Downloading)|\d% of /;

export function tellsSize(line: string): boolean {
  return TELLS_SIZE.test(line);
}

/** Number of its last lines that are shown when it fails. */
const LAST_LINES = 12;

function run(command: string, args: string[], log: (line: string) => void): Promise<string | null> {
  return new Promise((resolve) => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
    const last: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        if (tellsSize(line)) log(line);
        last.push(line);
        last.splice(0, last.length - LAST_LINES);
      });
    }
    child.on('error', (error) => {
      resolve(`could not be started: ${error.message}`);
    });
    child.on('close', (code) => {
      if (code !== 0) for (const line of last) log(line);
      resolve(code === 0 ? null : `ended with exit code ${code ?? 'unknown'}`);
    });
  });
}
