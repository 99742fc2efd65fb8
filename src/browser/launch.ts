import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { chromium, type Browser } from 'playwright-core';
import { startBackgroundProxy } from './background-proxy.ts';
import { CdpConnection } from './cdp.ts';
import { BrowserError } from './error.ts';
import type { BrowserBinary, BrowserKind } from './find.ts';
import { chromiumFlags } from './flags.ts';
import { Observer } from './observer.ts';
import { makeProfile, removeProfile, sweepProfiles } from './profile.ts';

/** What a row says about the browser; read from the browser that runs. */
export interface BrowserIdentity {
  name: string;
  version: string;
  build: string;
  kind: BrowserKind;
  ours: boolean;
  /** Pinned, because a browser without its sandbox is not what users run. */
  sandbox: boolean;
}

/** A Chromium that we launched. It ends with this process, however this process ends. */
export interface OwnedBrowser {
  identity: BrowserIdentity;
  /** The judge's view. */
  observer: Observer;
  /** The surfaces' way in. */
  playwright: Browser;
  /** Requests that Chromium made on its own account; all were refused. */
  backgroundRequests(): Record<string, number>;
  /** Resolves when the process has ended, for whatever reason. */
  ended: Promise<void>;
  isRunning(): boolean;
  close(): Promise<void>;
}

export interface LaunchOptions {
  binary: BrowserBinary;
  /** See `FlagOptions`. */
  trustedSpki?: string | null;
}

const START_TIMEOUT_MS = 30_000;

/**
 * Starts Chromium with the judge's connection attached before there is anything to see.
 * @throws BrowserError `launch_failed` with what Chromium printed.
 */
export async function launchBrowser(options: LaunchOptions): Promise<OwnedBrowser> {
  sweepProfiles();
  const profile = makeProfile();
  const background = await startBackgroundProxy();
  const sandbox = !mustRunWithoutSandbox();
  const flags = chromiumFlags({
    profile,
    backgroundProxy: background.address,
    trustedSpki: options.trustedSpki ?? null,
    sandbox,
  });
  const { child, input, output } = startProcess(options.binary.path, flags, profile);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      background.close();
      removeProfile(profile);
      resolve();
    });
  });
  const cdp = new CdpConnection(input, output);
  try {
    const endpoint = await debuggingEndpoint(child);
    const version = await cdp.send('Browser.getVersion');
    const observer = await Observer.attach(cdp);
    const playwright = await chromium.connectOverCDP(endpoint, { timeout: START_TIMEOUT_MS });
    const [name = 'Chrome', number = ''] = version.product.split('/');
    return {
      identity: { name, version: number, build: version.revision, kind: options.binary.kind, ours: true, sandbox },
      observer,
      playwright,
      backgroundRequests: background.refused,
      ended,
      isRunning: () => child.exitCode === null && child.signalCode === null,
      close: () => endProcess(child, cdp, playwright, ended),
    };
  } catch (error) {
    killGroup(child);
    await ended;
    throw error;
  }
}

function startProcess(binary: string, flags: string[], profile: string) {
  const child = spawn(binary, flags, {
    // A group of its own: Ctrl-C reaches us first, and we can end the whole tree.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, HOME: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile },
  });
  const [, , , output, input] = child.stdio;
  if (!isWritable(output) || !isReadable(input)) throw new Error('the debugging pipe was not opened');
  return { child, input, output };
}

function isWritable(stream: Readable | Writable | null | undefined): stream is Writable {
  return stream !== null && stream !== undefined && 'write' in stream;
}

function isReadable(stream: Readable | Writable | null | undefined): stream is Readable {
  return stream !== null && stream !== undefined && 'read' in stream;
}

/** Waits for the line in which Chromium names its debugging endpoint. */
function debuggingEndpoint(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const fail = (why: string): void => {
      clearTimeout(timer);
      reject(
        new BrowserError(
          'launch_failed',
          `Chromium did not start: ${why}${printed === '' ? '' : `; it printed:\n${printed.slice(-2000)}`}`,
          'run "touchstone doctor" to see which browser was found and what it needs',
        ),
      );
    };
    const timer = setTimeout(() => {
      fail(`no debugging endpoint within ${START_TIMEOUT_MS} ms`);
    }, START_TIMEOUT_MS);
    child.once('error', (error) => {
      fail(error.message);
    });
    child.once('exit', (code, signal) => {
      fail(`it ended at once (${signal ?? `exit code ${code}`})`);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (printed.length < 100_000) printed += text;
      const endpoint = /DevTools listening on (ws:\S+)/.exec(printed)?.[1];
      if (endpoint === undefined) return;
      clearTimeout(timer);
      resolve(endpoint);
    });
  });
}

async function endProcess(child: ChildProcess, cdp: CdpConnection, playwright: Browser, ended: Promise<void>) {
  await playwright.close().catch(() => {});
  // Asked first, so that profile files are not torn; not answered in time, it is killed.
  cdp.send('Browser.close').catch(() => {});
  const timer = setTimeout(() => {
    killGroup(child);
  }, 2_000);
  await ended;
  clearTimeout(timer);
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** Chromium's sandbox works neither as root nor in most containers. */
function mustRunWithoutSandbox(): boolean {
  return process.getuid?.() === 0 || existsSync('/.dockerenv') || existsSync(path.join('/run', '.containerenv'));
}
