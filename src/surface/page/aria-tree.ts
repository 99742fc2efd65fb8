import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { untilAborted } from '../until-aborted.ts';

interface Limits {
  /** In ms. */
  timeout: number;
  signal?: AbortSignal;
}

/**
 * The page's accessibility tree as Playwright writes it, with references; null where the page has no body. One whose answer
 * broke off in the head never gets one: there is nothing to see on it, and Playwright would wait for its tree in vain. So a page
 * whose tree is late is asked for its body, and one that does not answer is not called empty.
 */
export async function ariaTree(page: Page, { timeout, signal }: Limits): Promise<string | null> {
  const over = new AbortController();
  const either = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
  const tree = page.ariaSnapshot({ mode: 'ai', timeout, signal: either });
  const isBodiless = sleep(timeout / 2, undefined, { signal: either })
    .then(() => lacksBody(page, either))
    // Whoever waits for the tree is told what went wrong.
    .catch(() => false);
  try {
    return await Promise.race([tree, isBodiless.then((isSo) => (isSo ? null : tree))]);
  } finally {
    over.abort();
    tree.catch(() => {});
  }
}

async function lacksBody(page: Page, signal: AbortSignal): Promise<boolean> {
  return (await untilAborted(signal, page.locator('body, frameset').count())) === 0;
}
