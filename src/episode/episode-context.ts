import type { BrowserContext, Page } from 'playwright-core';
import type { OwnedBrowser } from '../browser/launch.ts';
import type { Task } from '../task/schema.ts';
import type { World } from '../world/world.ts';

/** Where an episode takes place: a fresh browser context in its world, with one page. */
export interface EpisodeContext {
  context: BrowserContext;
  page: Page;
  /** The context's id in the browser, by which the judge knows what belongs to the episode. */
  contextId: string;
  /** The page's CDP target. */
  targetId: string;
  /** Ends the context. False when the browser did not do so in time, and is not fit for another episode. */
  close(): Promise<boolean>;
}

const VIEWPORT = { width: 1280, height: 720 };
const START_TIMEOUT_MS = 20_000;
const CLOSE_TIMEOUT_MS = 5_000;

/** A clean browser in the task's world: no cookies, no storage, no cache, nothing within reach but the world. */
export async function openEpisodeContext(browser: OwnedBrowser, world: World, task: Task): Promise<EpisodeContext> {
  const context = await browser.playwright.newContext({
    proxy: world.proxy,
    viewport: task.setup?.viewport ?? VIEWPORT,
    acceptDownloads: false,
  });
  // Playwright would dismiss dialogs that nobody listens for; an open dialog stays open for every entrant.
  context.on('dialog', () => {});
  const page = await context.newPage();
  const { targetId, browserContextId: contextId = '' } = await targetOf(page);
  await browser.observer.seen(targetId);
  return {
    context,
    page,
    contextId,
    targetId,
    close: () => closed(context),
  };
}

/**
 * Opens the task's start URL. A dialog that opens while it loads would hold it up for good: it is the judge's to see.
 * @throws Error when it does not load, which is the world's fault: nobody has acted yet.
 */
export async function openStartPage(page: Page, startUrl: string): Promise<void> {
  const dialog = new Promise<void>((resolve) => {
    page.once('dialog', () => {
      resolve();
    });
  });
  const loading = page.goto(startUrl, { waitUntil: 'load', timeout: START_TIMEOUT_MS });
  loading.catch(() => {});
  await Promise.race([loading, dialog]);
}

async function targetOf(page: Page) {
  const session = await page.context().newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  session.detach().catch(() => {});
  return targetInfo;
}

async function closed(context: BrowserContext): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      resolve(false);
    }, CLOSE_TIMEOUT_MS);
  });
  const closing = context.close().then(
    () => true,
    () => false,
  );
  const inTime = await Promise.race([closing, late]);
  clearTimeout(timer);
  return inTime;
}
