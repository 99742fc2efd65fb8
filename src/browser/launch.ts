import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BackgroundProxy, startBackgroundProxy } from './background-proxy.ts';
import { CdpConnection } from './cdp.ts';
import { type ChromiumProcess, startChromium } from './chromium-process.ts';
import type { BrowserBinary } from './find.ts';
import { chromiumFlags } from './flags.ts';
import { identityOf, type JudgedBrowser } from './judged-browser.ts';
import { Observer } from './observer.ts';
import { PlaywrightConnection } from './playwright-connection.ts';
import { removeFolder, sweepFolders } from '../process/own-folder.ts';
import { makeProfile } from './profile.ts';
import { pipeWire } from './wire.ts';
import { messageOf } from '../contract/message-of.ts';

/** A Chromium that we launched. It ends with this process, however this process ends. */
export interface OwnedBrowser extends JudgedBrowser {
  leadTo: (proxy: string) => void;
}

export interface LaunchOptions {
  binary: BrowserBinary;
  /** See `FlagOptions`. */
  trustedSpki?: string | null;
  /** How long the browser may take to start, in ms. */
  startTimeoutMs?: number;
}

const START_TIMEOUT_MS = 30_000;
/** How long, in ms, the browser may take to end when it is asked to. */
const CLOSE_TIMEOUT_MS = 2_000;
/** How long, in ms, after the end of a connection the process may take to end too. */
const END_MS = 2_000;

/**
 * Starts Chromium with the judge's connection attached before there is anything to see.
 * @throws BrowserError `launch_failed` with what Chromium printed.
 */
export async function launchBrowser(options: LaunchOptions): Promise<OwnedBrowser> {
  const timeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS;
  sweepFolders();
  const background = await startBackgroundProxy();
  const profile = makeProfile();
  const sandbox = !mustRunWithoutSandbox();
  const trustedSpki = options.trustedSpki ?? null;
  const flags = chromiumFlags({ profile, backgroundProxy: background.address, trustedSpki, sandbox });
  let chromiumProcess: ChromiumProcess;
  try {
    chromiumProcess = startChromium({ binary: options.binary.path, flags, profile, timeoutMs });
  } catch (error) {
    clearAway(profile, background);
    throw error;
  }
  const ended = leavingNothing(chromiumProcess, profile, background);
  try {
    return await connect(chromiumProcess, { timeoutMs, sandbox, ended, background });
  } catch (error) {
    chromiumProcess.kill();
    await ended;
    throw error;
  }
}

interface ConnectOptions {
  timeoutMs: number;
  sandbox: boolean;
  ended: Promise<void>;
  background: BackgroundProxy;
}

async function connect(
  chromiumProcess: ChromiumProcess,
  { timeoutMs, sandbox, ended, background }: ConnectOptions,
): Promise<OwnedBrowser> {
  const { pipe, isRunning, launchFailed } = chromiumProcess;
  const cdp = new CdpConnection(pipeWire(pipe.input, pipe.output));
  const endpoint = await chromiumProcess.endpoint;
  const playwright = new PlaywrightConnection(endpoint, timeoutMs);
  try {
    const { product, revision: build } = await cdp.send('Browser.getVersion', undefined, { timeoutMs });
    const observer = await Observer.attach(cdp);
    const isFit = (): boolean => isRunning() && !cdp.isClosed && !playwright.isLost;
    return {
      identity: { ...identityOf(product), build, ours: true, sandbox },
      observer,
      playwright: () => playwright.open(),
      endpoint,
      leadTo: (proxy) => {
        background.leadTo(proxy);
      },
      backgroundRequests: () => background.refused(),
      ended,
      isRunning,
      isFit,
      condition: async () => {
        if (isFit()) return 'fit';
        await Promise.race([ended, sleep(END_MS, undefined, { ref: false })]);
        return isRunning() ? 'cut_off' : 'ended';
      },
      close: () => endBrowser(chromiumProcess, cdp, playwright, ended),
    };
  } catch (error) {
    throw launchFailed(messageOf(error), error);
  }
}

/** Whatever ends first, the browser or this process: neither process, profile nor port is left. */
function leavingNothing(browser: ChromiumProcess, profile: string, background: BackgroundProxy): Promise<void> {
  // Before its profile is removed, to which it writes.
  process.prependListener('exit', browser.kill);
  const onEnd = (): void => {
    process.off('exit', browser.kill);
    clearAway(profile, background);
  };
  return browser.ended.then(onEnd);
}

function clearAway(profile: string, background: BackgroundProxy): void {
  background.close();
  removeFolder(profile);
}

async function endBrowser(
  browser: ChromiumProcess,
  cdp: CdpConnection,
  playwright: PlaywrightConnection,
  ended: Promise<void>,
): Promise<void> {
  const timer = setTimeout(() => {
    browser.kill();
  }, CLOSE_TIMEOUT_MS);
  await Promise.race([playwright.close().catch(ignoreEnded), ended]);
  // Asked first, so that profile files are not torn; not answered in time, it is killed.
  cdp.send('Browser.close').catch(ignoreEnded);
  await ended;
  clearTimeout(timer);
}

/** A browser that has ended already is what was wanted. */
function ignoreEnded(): void {}

/** Chromium's sandbox works neither as root nor in most containers. */
function mustRunWithoutSandbox(): boolean {
  return process.getuid?.() === 0 || existsSync('/.dockerenv') || existsSync(path.join('/run', '.containerenv'));
}
