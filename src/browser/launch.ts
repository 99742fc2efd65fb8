import net from 'node:net';
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost } from './at-most.ts';
import { type BackgroundProxy, backgroundProxy, join, onLoopback } from './background-proxy.ts';
import { CdpConnection } from './cdp.ts';
import { type ChromiumProcess, startChromium } from './chromium-process.ts';
import { BrowserError } from './error.ts';
import type { BrowserBinary } from './find.ts';
import { chromiumFlags, makeProfile } from './flags.ts';
import { type BrowserIdentity, identityOf, type JudgedBrowser } from './judged-browser.ts';
import { Observer } from './observer.ts';
import { PlaywrightConnection, playwrightCore } from './playwright-connection.ts';
import { giveFolder, canStart, otherUser } from '../process/other-user.ts';
import { clearFolder, layFiles, removeFolder, sweepFolders } from '../process/own-folder.ts';
import { doorAt, whyNotConfined } from '../process/sandbox/browser.ts';
import { Switchboard } from './switchboard.ts';
import { pipeWire } from './wire.ts';
import { WorldDoors } from './world-doors.ts';
import { messageOf } from '../contract/message-of.ts';

type Isolation = NonNullable<BrowserIdentity['isolation']>;

/** A Chromium that we launched. It ends with this process, however this process ends. */
export interface OwnedBrowser extends JudgedBrowser {
  forwardTo: (proxy: string) => void;
}

export interface LaunchOptions {
  binary: BrowserBinary;
  trustedSpki?: string | null;
  startTimeoutMs?: number;
  /** Shows its windows on the screen of the user who runs us; Chromium then runs as that user, since no other may draw there. */
  headed?: boolean;
  /** `machine`: it shows files and servers of this machine to a user, and runs in no sandbox. */
  reach?: 'worlds' | 'machine';
}

/** Whether Chromium's sandbox works here, as far as is known: root and many containers have none. Only a try shows it. */
let hasSandbox = true;
/** Chromium's last line when it ends for lack of a sandbox. */
const ASKS_FOR_NO_SANDBOX = /no usable sandbox|--no-sandbox/i;

const START_TIMEOUT_MS = 30_000;
/** A start takes a core: many at once would all be late. */
const inTurn = atMost(availableParallelism());
const CLOSE_TIMEOUT_MS = 2_000;
/** Time, in ms, that the process may take to end after the end of a connection. */
const END_MS = 2_000;

/** @throws BrowserError `browser_not_started` with what Chromium printed */
export async function launchBrowser(options: LaunchOptions): Promise<OwnedBrowser> {
  return await inTurn(() => launchAsItCan(options));
}

async function launchAsItCan(options: LaunchOptions): Promise<OwnedBrowser> {
  try {
    return await launchWith(options, hasSandbox);
  } catch (error) {
    if (!hasSandbox || !ASKS_FOR_NO_SANDBOX.test(messageOf(error))) throw error;
    const browser = await launchWith(options, false);
    hasSandbox = false;
    return browser;
  }
}

async function launchWith({ binary, ...options }: LaunchOptions, wantsSandbox: boolean): Promise<OwnedBrowser> {
  const timeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS;
  sweepFolders();
  const profile = makeProfile();
  const headed = options.headed ?? false;
  const { uid, isolation } = apartAs(binary.path, profile, options);
  const isConfined = isolation === 'bubblewrap';
  const sandbox = wantsSandbox && (isConfined || uid !== null || process.getuid?.() !== 0);
  const background = backgroundProxy();
  const doors = new WorldDoors();
  const shared = isConfined ? null : net.createServer((socket) => background.take(socket));
  const own = shared === null ? doorAt(1) : await onLoopback(shared);
  const trustedSpki = options.trustedSpki ?? null;
  const flags = chromiumFlags({ profile, backgroundProxy: own, trustedSpki, sandbox, isConfined, headed });
  let chromiumProcess: ChromiumProcess;
  try {
    chromiumProcess = startChromium({ binary: binary.path, flags, profile, uid, headed, isConfined });
  } catch (error) {
    shared?.close();
    removeFolder(profile);
    throw error;
  }
  const ended = leavingNothing(chromiumProcess, profile, () => {
    shared?.close();
    background.close();
  });
  try {
    // While Chromium starts.
    playwrightCore();
    return await connect(chromiumProcess, {
      timeoutMs,
      profile,
      sandbox,
      isolation,
      hasUser: headed || options.reach === 'machine',
      uid,
      ended,
      background,
      doors,
    });
  } catch (error) {
    chromiumProcess.kill();
    await ended;
    throw error;
  }
}

interface ConnectOptions {
  timeoutMs: number;
  profile: string;
  sandbox: boolean;
  hasUser: boolean;
  isolation: Isolation;
  uid: number | null;
  ended: Promise<void>;
  background: BackgroundProxy;
  doors: WorldDoors;
}

async function connect(
  chromiumProcess: ChromiumProcess,
  { timeoutMs, profile, sandbox, isolation, hasUser, uid, ended, background, doors }: ConnectOptions,
): Promise<OwnedBrowser> {
  const { pipe, door, isRunning, failed } = chromiumProcess;
  const wire = pipeWire(pipe.input, pipe.output);
  const switchboard = new Switchboard(door === null ? wire : doors.before(wire));
  const cdp = new CdpConnection(switchboard.judge);
  const playwright = new PlaywrightConnection(switchboard, timeoutMs);
  try {
    const asking = cdp.send('Browser.getVersion', undefined, { timeoutMs });
    const { product, revision: build } = await Promise.race([asking, failed]);
    if (door !== null) throughDoor(await Promise.race([door, failed]), { background, doors, ended });
    const observer = await Observer.attach(cdp, { isOurs: true, hasUser, folder: profile });
    chromiumProcess.hasStarted();
    const isFit = (): boolean => isRunning() && !cdp.isClosed && !playwright.isLost;
    return {
      identity: { ...identityOf(product), build, ours: true, sandbox, isolation },
      observer,
      playwright: () => playwright.open(),
      switchboard,
      uid,
      forwardTo: (proxy) => {
        background.forwardTo(proxy);
      },
      layFiles: async (files) => {
        const folder = path.join(profile, `files-${randomUUID()}`);
        await layFiles(folder, files);
        return folder;
      },
      backgroundRequests: () => background.refused(),
      ended,
      isRunning,
      isFit,
      fault: () => cdp.fault,
      condition: async () => {
        if (isFit()) return 'fit';
        await Promise.race([ended, sleep(END_MS, undefined, { ref: false })]);
        return isRunning() ? 'cut_off' : 'ended';
      },
      close: () => endBrowser(chromiumProcess, cdp, playwright, ended),
    };
  } catch (error) {
    throw await whyNotLaunched(chromiumProcess, cdp, error);
  }
}

/** A connection may end before its process, which knows the reason best. */
async function whyNotLaunched(
  { failed, launchFailed }: ChromiumProcess,
  cdp: CdpConnection,
  error: unknown,
): Promise<unknown> {
  const ending = failed.catch((why: unknown) => why);
  const why = cdp.isClosed ? await Promise.race([ending, sleep(END_MS, undefined, { ref: false })]) : undefined;
  const known = why ?? error;
  return known instanceof BrowserError && known.code === 'browser_not_started'
    ? known
    : launchFailed(messageOf(known), known);
}

const running = new Set<ChromiumProcess>();

function killRunning(): void {
  for (const browser of running) browser.kill();
}

/** Connects traffic from a browser's sandbox to its world, if that is one of the browser's. */
function throughDoor(
  door: net.Server,
  { background, doors, ended }: Pick<ConnectOptions, 'background' | 'doors' | 'ended'>,
): void {
  door.on('connection', (socket) => {
    const address = `${socket.localAddress}:${socket.localPort}`;
    const proxy = doors.proxyBehind(address);
    if (proxy !== null) join(socket, proxy);
    else if (address === doorAt(1)) background.take(socket);
    else socket.destroy();
  });
  void ended.then(() => door.close());
}

/** Leaves no process, profile or port behind, whether the browser or this process ends first. */
function leavingNothing(browser: ChromiumProcess, profile: string, closePorts: () => void): Promise<void> {
  // Before its profile is removed, to which it writes. One listener for all of them: Node warns of more than ten.
  if (running.size === 0) process.prependListener('exit', killRunning);
  running.add(browser);
  const onEnd = async (): Promise<void> => {
    running.delete(browser);
    if (running.size === 0) process.off('exit', killRunning);
    closePorts();
    await clearFolder(profile);
  };
  return browser.ended.then(onEnd);
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
  // Asked to end first, so that profile files are not torn; killed if it does not in time.
  cdp.send('Browser.close').catch(ignoreEnded);
  await ended;
  clearTimeout(timer);
}

/** A browser that has already ended is the desired result. */
function ignoreEnded(): void {}

/**
 * The user that Chromium is to run as, and what keeps our files and ports from its pages and its own windows: a sandbox where there can
 * be one, and as root a user of its own. Root's Chromium has no sandbox of its own.
 */
function apartAs(
  binary: string,
  profile: string,
  { headed = false, reach = 'worlds' }: Omit<LaunchOptions, 'binary'>,
): { uid: number | null; isolation: Isolation } {
  if (headed) return { uid: null, isolation: 'none' };
  const canConfine = (user: number | null): boolean => reach === 'worlds' && whyNotConfined(binary, user) === null;
  const uid = otherUser();
  if (uid !== null && canConfine(uid) && giveFolder(uid, profile)) return { uid, isolation: 'bubblewrap' };
  if (canConfine(null)) return { uid: null, isolation: 'bubblewrap' };
  if (uid !== null && canStart(uid, [binary]) && giveFolder(uid, profile)) return { uid, isolation: 'user' };
  return { uid: null, isolation: 'none' };
}
