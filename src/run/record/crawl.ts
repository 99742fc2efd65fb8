import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import type { JudgedBrowser } from '../../browser/judged-browser.ts';
import { messageOf } from '../../contract/message-of.ts';
import type { World } from '../../world/world-proxy.ts';

export interface CrawlOptions {
  browser: JudgedBrowser;
  world: World;
  /** Visited addresses, without fragments; their links are followed. */
  visited: readonly string[];
  /** Most further pages of each site. */
  maxPages: number;
  onPage: (url: string) => void;
  onClosed: (url: string, why: string) => void;
}

/** Pages open at once. */
const TABS = 2;
/** Time for a page to load, and then for its network to be idle, in ms. */
const LOAD_MS = 30_000;
const SILENCE_MS = 5_000;
const LINKS_MS = 10_000;
/** Most links that are read from a page. */
const MAX_LINKS = 10_000;

/** Opens visited pages again, and then the pages of the same site that they link to, so that an agent may take another way. */
export async function crawl(options: CrawlOptions): Promise<void> {
  const { browser, world, visited, maxPages, onPage, onClosed } = options;
  const context = await (await browser.playwright()).newContext({ proxy: world.proxy });
  try {
    const seen = new Set(visited);
    // By page, so that the selection does not depend on which page is faster.
    const linked = new Map<string, string[]>([...seen].map((url) => [url, []]));
    await each([...seen], async (url) => {
      onPage(url);
      const links = await linksOf(context, url, onClosed);
      linked.set(
        url,
        links.filter((link) => new URL(link).origin === new URL(url).origin),
      );
    });
    const links = new Set([...linked.values()].flat());
    const counts = new Map<string, number>();
    const further = [...links].filter((url) => {
      const { origin } = new URL(url);
      const count = (counts.get(origin) ?? 0) + 1;
      if (seen.has(url) || count > maxPages) return false;
      counts.set(origin, count);
      return true;
    });
    await each(further, async (url) => {
      onPage(url);
      await linksOf(context, url, onClosed);
    });
  } finally {
    await context.close();
  }
}

/** Opens a page and returns its links; none for a download. */
async function linksOf(context: BrowserContext, url: string, onClosed: CrawlOptions['onClosed']): Promise<string[]> {
  const page = await context.newPage();
  try {
    await page.goto(url, { timeout: LOAD_MS });
    await page.waitForLoadState('networkidle', { timeout: SILENCE_MS }).catch(() => {});
    const links = await Promise.race([hrefsOf(page), sleep(LINKS_MS, [], { ref: false })]);
    return links.filter((link) => /^https?:/.test(link)).map(withoutFragment);
  } catch (error) {
    if (!messageOf(error).includes('Download is starting')) onClosed(url, messageOf(error).split('\n')[0] ?? '');
    return [];
  } finally {
    await page.close();
  }
}

function hrefsOf(page: Page): Promise<string[]> {
  const found = page
    .locator('a[href]')
    .evaluateAll((anchors, most) => anchors.slice(0, most).map((anchor) => String(anchor.href)), MAX_LINKS);
  // The wait for it may be over when it rejects.
  found.catch(() => {});
  return found;
}

/** Works through the items, a few at a time. */
async function each(items: readonly string[], work: (item: string) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: TABS }, worker));
}

export function withoutFragment(address: string): string {
  const url = new URL(address);
  url.hash = '';
  return url.href;
}
