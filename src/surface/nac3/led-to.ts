import { setTimeout as sleep } from 'node:timers/promises';
import type { Frame, Page, Request } from 'playwright-core';

/**
 * Does what a page's script is asked for, and waits for the page that it leads to, if it leads to one: a script's click is over
 * before the browser has begun to go on, and nobody else waits for that.
 * @param limitMs how long the other page may take to come
 */
export async function ledTo<T>(page: Page, work: () => Promise<T>, limitMs: number): Promise<T> {
  const stop = new AbortController();
  let isAsked = false;
  const asked = (request: Request): void => {
    isAsked ||= request.isNavigationRequest() && request.frame() === page.mainFrame();
  };
  const arrived = new Promise<void>((resolve) => {
    const came = (frame: Frame): void => {
      if (frame === page.mainFrame()) resolve();
    };
    const failed = (request: Request): void => {
      if (request.isNavigationRequest()) resolve();
    };
    page.on('request', asked).on('framenavigated', came).on('requestfailed', failed);
    stop.signal.addEventListener('abort', () => {
      page.off('request', asked).off('framenavigated', came).off('requestfailed', failed);
    });
  });
  try {
    const done = await work();
    // By then it has begun. A page that is gone has gone on.
    await page.evaluate(soon).catch(() => {});
    if (isAsked) await Promise.race([arrived, sleep(limitMs, undefined, { signal: stop.signal }).catch(() => {})]);
    return done;
  } finally {
    stop.abort();
  }
}

/** In the page: a few tasks later. */
async function soon(): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, 20);
  });
}
