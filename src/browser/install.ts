import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { BrowserError } from './error.ts';
import { findBrowser, type BrowserBinary, type BrowserKind } from './find.ts';

/**
 * Installs a browser where there is none: `apt-get` as root on Debian and Ubuntu, Playwright's own installer elsewhere
 * (the latter downloads from the internet and has not been tried by us).
 * @throws BrowserError `no_browser` with what was run and what else a user can do.
 */
export async function installBrowser(kind: BrowserKind, log: (line: string) => void): Promise<BrowserBinary> {
  const steps = isDebianRoot() ? debianSteps(kind) : playwrightSteps(kind);
  for (const [command, ...args] of steps) {
    log(`installing the browser: ${[command, ...args].join(' ')}`);
    const code = await run(command, args, log);
    if (code !== 0) throw failed(`"${[command, ...args].join(' ')}" ended with exit code ${code}`);
  }
  const found = findBrowser(kind);
  if (found === null) throw failed('the installer ended well, but no browser is where it should be');
  return found;
}

function debianSteps(kind: BrowserKind): [string, ...string[]][] {
  const names = kind === 'full' ? ['chromium', 'fonts-liberation'] : ['chromium-headless-shell', 'fonts-liberation'];
  return [
    ['apt-get', 'update', '-q'],
    ['apt-get', 'install', '-q', '-y', '--no-install-recommends', ...names],
  ];
}

function playwrightSteps(kind: BrowserKind): [string, ...string[]][] {
  const manifest = createRequire(import.meta.url).resolve('playwright-core/package.json');
  const installer = path.join(path.dirname(manifest), 'cli.js');
  return [[process.execPath, installer, 'install', kind === 'full' ? 'chromium' : 'chromium-headless-shell']];
}

function isDebianRoot(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/os-release')) return false;
  return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));
}

function run(command: string, args: string[], log: (line: string) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        log(text.trimEnd());
      });
    }
    child.on('error', (error) => {
      reject(failed(`"${command}" could not be started: ${error.message}`));
    });
    child.on('close', (code) => {
      resolve(code ?? 1);
    });
  });
}

function failed(message: string): BrowserError {
  return new BrowserError(
    'no_browser',
    `no browser could be installed: ${message}`,
    'install Chromium or Chrome with your package manager, or set TOUCHSTONE_BROWSER to the path of its binary',
  );
}
