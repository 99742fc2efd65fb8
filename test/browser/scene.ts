import type { BrowserContext, Page } from 'playwright-core';
import { capturePages } from '../../src/browser/capture.ts';
import type { JudgedBrowser } from '../../src/browser/judged-browser.ts';
import type { Observer } from '../../src/browser/observer.ts';
import type { App } from '../../src/world/app.ts';
import { startLocalWorld } from '../../src/world/local.ts';
import type { WorldHere } from '../../src/world/world-proxy.ts';
import { sharedBrowser, sharedIdentity } from '../shared-browser.ts';

type Answer = (request: Request) => Response | Promise<Response>;

/** What a test world answers with, by whole address: an HTML page, or anything at all. */
export type Pages = Record<string, string | Answer>;

export interface TestScene extends AsyncDisposable {
  browser: JudgedBrowser;
  observer: Observer;
  world: WorldHere;
  context: BrowserContext;
  page: Page;
  contextId: string;
  capture(): ReturnType<typeof capturePages>;
}

/** Opens a scene: `await using scene = await openScene({ 'http://a.localhost/': '<h1>A</h1>' })`. */
export async function openScene(pages: Pages, lent?: JudgedBrowser): Promise<TestScene> {
  const browser = lent ?? (await sharedBrowser());
  const world = await openWorld(pages);
  const context = await (await browser.playwright()).newContext({ proxy: world.proxy });
  // A dialog that someone listens for stays open.
  context.on('dialog', () => {});
  const page = await context.newPage();
  const { targetId, contextId } = await targetOf(page);
  await browser.observer.seen(targetId);
  return {
    browser,
    observer: browser.observer,
    world,
    context,
    page,
    contextId,
    capture: () => capturePages(browser.observer, contextId),
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await world.close();
    },
  };
}

export async function openWorld(pages: Pages): Promise<WorldHere> {
  const origins = new Set(Object.keys(pages).map((address) => new URL(address).origin));
  return await startLocalWorld({
    sites: [...origins].map((origin) => ({ origin, create: () => app(pages), hasState: false, standIn: false })),
    parameters: {},
    identity: await sharedIdentity(),
    live: false,
  });
}

function app(pages: Pages): App {
  return {
    state: () => null,
    fetch: (request) => {
      const answer = pages[request.url];
      if (answer === undefined) return new Response('not found', { status: 404 });
      return typeof answer === 'string' ? html(answer) : answer(request);
    },
  };
}

export function html(text: string): Response {
  return new Response(`<!doctype html><meta charset="utf-8"><title>Test</title>${text}`, {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
}

export async function targetOf(page: Page): Promise<{ targetId: string; contextId: string }> {
  const session = await page.context().newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  await session.detach();
  return { targetId: targetInfo.targetId, contextId: targetInfo.browserContextId ?? '' };
}
