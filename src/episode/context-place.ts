import type { BrowserContext, Page } from 'playwright-core';
import type { JudgedBrowser } from '../browser/judged-browser.ts';
import type { ContextSeat, ContextSurface } from '../surface/surface.ts';
import { viewportOf, type Task } from '../task/schema.ts';
import type { World } from '../world/way-in.ts';
import { type Place, START_TIMEOUT_MS } from './place.ts';
import { tracingOf } from './tracing.ts';

const CLOSE_TIMEOUT_MS = 5_000;

/**
 * A fresh context of a browser that others have used, for surfaces of ours: no cookies, no storage, no cache, nothing
 * within reach but the world.
 */
export async function openContextPlace(
  surface: ContextSurface,
  browser: JudgedBrowser,
  world: World,
  task: Task,
): Promise<Place> {
  const { observer } = browser;
  const viewport = viewportOf(task);
  const playwright = await browser.playwright();
  const context = await playwright.newContext({
    proxy: world.proxy,
    // A window of ours is sized as in every other place; that of a browser which is not ours may be anywhere, and any size.
    viewport: browser.identity.ours ? null : viewport,
    acceptDownloads: false,
    // A browser of ours trusts the key of our worlds, and no other; to one that is not ours we cannot say so.
    ignoreHTTPSErrors: !browser.identity.ours,
  });
  // Playwright would dismiss dialogs that nobody listens for; an open dialog stays open for every entrant.
  context.on('dialog', () => {});
  const page = await context.newPage();
  const { targetId, browserContextId: contextId = '' } = await targetOf(page);
  await observer.size(await observer.seen(targetId), viewport);
  const touch = (target: string): void => {
    observer.touch(target);
  };
  return {
    contextId,
    start: (url) => openPage(page, url),
    openSurface: () =>
      surface.open({ context, page, contextId, targetId, touch, goal: task.goal, ...toolServerOf(world, task) }),
    gateway: null,
    tracing: tracingOf(context),
    // The surface is ours, and works when it is called only.
    endEntrant: () => Promise.resolve(),
    close: async () => {
      const inTime = await closed(context);
      if (inTime) observer.contextEnded(contextId);
      return inTime;
    },
  };
}

/** That of the site on which the task starts. */
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
  const loading = page.goto(url, { waitUntil: 'load', timeout: START_TIMEOUT_MS });
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
