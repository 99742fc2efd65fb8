import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type Gateway, startGateway } from '../browser/gateway/gateway.ts';
import type { JudgedBrowser } from '../browser/judged-browser.ts';
import { LOAD_PATIENCE_MS } from '../browser/observer.ts';
import type {
  ContextSeat,
  ContextSurface,
  EndpointSurface,
  SeatTab,
  Surface,
  SurfaceSession,
} from '../surface/surface.ts';
import type { Given, GivenFile } from '../task/given-files.ts';
import { type Task, viewportOf } from '../task/schema.ts';
import type { World } from '../world/world-proxy.ts';
import { within } from '../process/deadline.ts';
import { noTracing, type Tracing, tracingOf } from './tracing.ts';

/** A clean part of a browser in the task's world, with one page, for one episode. */
export interface Place {
  /** The browser context that belongs to the episode. */
  contextId: string;
  /**
   * Opens the task's start URL, and waits until it has loaded, or its document has and the rest does not. Does not wait for a page that opens a dialog while it loads: the dialog is evidence.
   * @throws Error when the page does not load, which is the world's fault
   */
  start(url: string): Promise<void>;
  /** Rejects, and ends the surface, when the signal fires before it is open. */
  openSurface(signal: AbortSignal): Promise<SurfaceSession>;
  /** The way in for tools and agents that attach to the browser; null for surfaces of ours. */
  gateway: Pick<Gateway, 'url' | 'log' | 'callBegins' | 'cut'> | null;
  /** The files for an agent that attaches to the browser; absent if the task gives none. */
  given?: Given;
  tracing: Tracing;
  /** Ends every connection of the entrant to the browser, so that it cannot change what is captured at the end. */
  endEntrant(): Promise<void>;
  /** Returns whether the browser is fit for another episode. */
  close(): Promise<boolean>;
}

export const START_TIMEOUT_MS = 20_000;
const CLOSE_TIMEOUT_MS = 5_000;

/** @param files that the task gives to its agent */
export function openPlace(
  surface: Surface,
  browser: JudgedBrowser,
  world: World,
  task: Task,
  files: readonly GivenFile[] = [],
): Promise<Place> {
  return surface.needs === 'context'
    ? openContextPlace(surface, browser, world, task, files)
    : openEndpointPlace(surface, browser, world, task, files);
}

/** Opens a fresh context, without cookies, storage or cache, in a browser that earlier episodes have used. */
async function openContextPlace(
  surface: ContextSurface,
  browser: JudgedBrowser,
  world: World,
  task: Task,
  files: readonly GivenFile[],
): Promise<Place> {
  const { observer, identity } = browser;
  const viewport = viewportOf(task);
  const playwright = await browser.playwright();
  const context = await playwright.newContext({
    proxy: world.proxy,
    // The observer sizes a window of ours, as in every other place; a browser that is not ours may have any size.
    viewport: identity.ours ? null : viewport,
    // The observer keeps them, after this.
    acceptDownloads: false,
    // A browser of ours trusts the key of our worlds alone; we cannot configure that in others.
    ignoreHTTPSErrors: !identity.ours,
  });
  // Playwright dismisses dialogs that have no listener; ours stay open for every entrant.
  context.on('dialog', () => {});
  const page = await context.newPage();
  const { targetId, browserContextId: contextId = '' } = await targetOf(page);
  await observer.size(await observer.seen(targetId), viewport);
  await observer.downloads.keep(contextId, { isDefault: false });
  if (world.offsetMs !== undefined) await observer.moveTime(contextId, world.offsetMs);
  if (identity.ours) await emptyClipboard(page);
  const touch = (target: string): void => {
    observer.touch(target);
  };
  return {
    contextId,
    start: (url) => openPage(page, url),
    openSurface: () =>
      surface.open({ context, page, contextId, targetId, touch, goal: task.goal, files, ...toolServerOf(world, task) }),
    gateway: null,
    tracing: tracingOf(context),
    // A surface of ours acts only when it is called.
    endEntrant: () => Promise.resolve(),
    close: async () => {
      const closed = await within(CLOSE_TIMEOUT_MS, () => context.close()).catch(() => null);
      if (closed?.finished !== true) return false;
      observer.contextEnded(contextId);
      return true;
    },
  };
}

function toolServerOf({ proxy, toolServers = [] }: World, { startUrl }: Task): Pick<ContextSeat, 'toolServer'> {
  const url = toolServers.find(
    (address) => startUrl !== 'about:blank' && new URL(address).origin === new URL(startUrl).origin,
  );
  return url === undefined ? {} : { toolServer: { url, proxy: proxy.server } };
}

async function openPage(page: Page, url: string): Promise<void> {
  const dialog = new Promise<void>((resolve) => {
    page.once('dialog', () => {
      resolve();
    });
  });
  const loading = loadPage(page, url);
  loading.catch(() => {});
  await Promise.race([loading, dialog]);
}

/** Waits for a page to load; if its document is there and a part of it does not end, no longer than that may take. */
async function loadPage(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'domcontentloaded', timeout: START_TIMEOUT_MS });
  await within(LOAD_PATIENCE_MS, () => page.waitForLoadState('load', { timeout: START_TIMEOUT_MS }));
}

/** Overwrites what an earlier episode has copied, which contexts of a browser share. To be called before a page is open. */
async function emptyClipboard(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const expression = `addEventListener('copy', (event) => {
    event.clipboardData.setData('text/plain', '');
    event.preventDefault();
  }, { once: true }); document.execCommand('copy')`;
  const { result } = await session.send('Runtime.evaluate', { expression, userGesture: true });
  await session.detach();
  if (result.value !== true) throw new Error('the clipboard was not emptied');
}

async function targetOf(page: Page) {
  const session = await page.context().newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  session.detach().catch(() => {});
  return targetInfo;
}

const NOT_TRACED =
  'a second client would have to attach to the browser of the tool, which both could tell; its calls, replies and commands are in the events';

/**
 * Opens the start page in a browser that leads into the world, behind a gateway. No client but the tool is connected.
 * @throws Error when the browser is not ours: we cannot put a proxy before the default context of its owner
 */
export async function openEndpointPlace(
  surface: EndpointSurface,
  browser: JudgedBrowser,
  world: World,
  task: Task,
  files: readonly GivenFile[],
): Promise<Place> {
  const { observer, forwardTo } = browser;
  if (forwardTo === null) throw new Error(`${surface.id} attaches to a browser, and this one is not ours`);
  forwardTo(world.proxy.server);
  const page = await observer.freshPage();
  await observer.size(page, viewportOf(task));
  await observer.downloads.keep(page.contextId, { isDefault: true });
  if (world.offsetMs !== undefined) await observer.moveTime(page.contextId, world.offsetMs);
  const gateway = await startGateway(browser);
  const given = await lendThrough(gateway, browser, files);
  const tabs = (): SeatTab[] =>
    observer.pages(page.contextId).map(({ targetId: id }) => ({ id, isTools: gateway.opened.has(id) }));
  return {
    contextId: page.contextId,
    start: (url) => observer.open(page, url, START_TIMEOUT_MS),
    openSurface: async (signal) => {
      const session = await surface.open({ cdpUrl: gateway.url, cdpPort: gateway.port, tabs, ...given }, signal);
      // A tool may have opened a tab while it got ready; the start page is the active one.
      observer.touch(page.targetId);
      return session;
    },
    gateway,
    ...given,
    tracing: noTracing(NOT_TRACED),
    endEntrant: () => gateway.close(),
    close: async () => {
      await gateway.close();
      // The next entrant must not find what this one has left in the browser.
      return false;
    },
  };
}

/** Lays files where the browser reads them, for clients that name them by other paths. */
async function lendThrough(
  gateway: Pick<Gateway, 'lend'>,
  { layFiles }: JudgedBrowser,
  files: readonly GivenFile[],
): Promise<{ given?: Given }> {
  if (files.length === 0 || layFiles === null) return {};
  const folder = await layFiles(files);
  const foundAt: Given['foundAt'] = (paths) => {
    gateway.lend(new Map([...paths].map(([name, path]) => [path, join(folder, name)])));
  };
  return { given: { files, foundAt } };
}
