import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fact } from '../messages/messages.ts';
import { isExecutable } from '../process/environment.ts';
import { BrowserError } from './error.ts';

/** `full` is what users run; `shell` is the headless shell, at about half the cost. */
export type BrowserKind = 'full' | 'shell';

export interface BrowserBinary {
  kind: BrowserKind;
  path: string;
  /** Its origin, for `doctor`. */
  source: 'TOUCHSTONE_BROWSER' | 'installed' | 'playwright cache';
}

// Debian's /usr/bin/chromium is a shell script that adds flags of its own: start the real binary.
const INSTALLED: Record<BrowserKind, readonly string[]> = {
  full: [
    '/usr/lib/chromium/chromium',
    '/usr/lib/chromium-browser/chromium-browser',
    '/opt/google/chrome/chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ],
  shell: ['/usr/lib/chromium/chromium-headless-shell'],
};

// Folder and binary as Playwright's installer lays them out; its earlier versions used other folders.
const CACHED: Record<BrowserKind, { folder: RegExp; binaries: readonly string[] }> = {
  full: {
    folder: /^chromium-(\d+)$/,
    binaries: [
      'chrome-linux64/chrome',
      'chrome-linux-arm64/chrome',
      'chrome-linux/chrome',
      'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
      'chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
      'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
      'chrome-win64/chrome.exe',
      'chrome-win/chrome.exe',
    ],
  },
  shell: {
    folder: /^chromium_headless_shell-(\d+)$/,
    binaries: [
      'chrome-headless-shell-linux64/chrome-headless-shell',
      'chrome-headless-shell-linux-arm64/chrome-headless-shell',
      'chrome-linux/headless_shell',
      'chrome-headless-shell-mac-arm64/chrome-headless-shell',
      'chrome-headless-shell-mac-x64/chrome-headless-shell',
      'chrome-headless-shell-win64/chrome-headless-shell.exe',
    ],
  },
};

export interface FindOptions {
  env?: NodeJS.ProcessEnv;
  installed?: readonly string[];
}

/** @throws BrowserError `browser_not_a_program` if `TOUCHSTONE_BROWSER` names something that cannot be run */
export function findBrowser(kind: BrowserKind, options: FindOptions = {}): BrowserBinary | null {
  const env = options.env ?? process.env;
  const named = env['TOUCHSTONE_BROWSER'];
  if (named !== undefined && named !== '') {
    if (!isExecutable(named)) {
      throw new BrowserError(fact('browser_not_a_program', { path: named }));
    }
    return {
      kind: /headless.shell/.test(path.basename(named)) ? 'shell' : 'full',
      path: named,
      source: 'TOUCHSTONE_BROWSER',
    };
  }
  const installed = (options.installed ?? INSTALLED[kind]).find(isExecutable);
  if (installed !== undefined) return { kind, path: installed, source: 'installed' };
  const cached = newestCached(kind, env);
  return cached === null ? null : { kind, path: cached, source: 'playwright cache' };
}

/** Like {@link findBrowser}, but throws an error with the remedies if it finds none. */
export function requireBrowser(kind: BrowserKind, options: FindOptions = {}): BrowserBinary {
  const found = findBrowser(kind, options);
  if (found !== null) return found;
  throw new BrowserError(fact('browser_missing', { kind }));
}

function newestCached(kind: BrowserKind, env: NodeJS.ProcessEnv): string | null {
  const { folder, binaries } = CACHED[kind];
  const root = playwrightCache(env);
  if (!existsSync(root)) return null;
  const folders = readdirSync(root)
    .map((name) => ({ name, build: Number(folder.exec(name)?.[1] ?? Number.NaN) }))
    .filter((entry) => !Number.isNaN(entry.build))
    .toSorted((a, b) => b.build - a.build);
  for (const { name } of folders) {
    const binary = binaries.map((relative) => path.join(root, name, relative)).find(isExecutable);
    if (binary !== undefined) return binary;
  }
  return null;
}

function playwrightCache(env: NodeJS.ProcessEnv): string {
  const set = env['PLAYWRIGHT_BROWSERS_PATH'];
  if (set !== undefined && set !== '') return set;
  if (process.platform === 'darwin') return path.join(homedir(), 'Library/Caches/ms-playwright');
  if (process.platform === 'win32') return path.join(env['LOCALAPPDATA'] ?? homedir(), 'ms-playwright');
  return path.join(env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'ms-playwright');
}
