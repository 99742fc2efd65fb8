import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import type { JudgedBrowser } from '../../browser/judged-browser.ts';
import { messageOf } from '../../contract/message-of.ts';
import type { World } from '../../world/way-in.ts';

export interface CrawlOptions {
  browser: JudgedBrowser;
  world: World;
  /** Addresses without fragment of the pages that were visited; where their links lead is looked at. */
  visited: readonly string[];
  /** Most further pages of one site. */
  maxPages: number;
  /** Told of every page before it is opened. */
  onPage: (url: string) => void;
  /** Told of every page that could not be opened. */
  onClosed: (url: string, why: string) => void;
}

/** Pages open at once. */
const TABS = 2;
/** Time for a page to load, and after that to fall silent, in ms. */
const LOAD_MS = 30_000;
const SILENCE_MS = 5_000;
/** Time for a page to list its links, in ms: it may be busy with itself for ever. */
const LINKS_MS = 10_000;
/** Most links of a page that are looked at. */
const MAX_LINKS = 10_000;

/**
 * Opens the pages that were visited once more, and then where their links lead on the same site, in a context of its own:
 * an agent that takes a slightly different way finds something there.
 */
export async function crawl(options: CrawlOptions): Promise<void> {
  const { browser, world, visited, maxPages, onPage, onClosed } = options;
  const context = await (await browser.playwright()).newContext({ proxy: world.proxy });
  try {
    const seen = new Set(visited);
    // By page, so that which links are followed does not hang on which page is faster.
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

/** Opens a page and returns the addresses that it links to; none for a download. */
async function linksOf(context: BrowserContext, url: string, onClosed: CrawlOptions['onClosed']): Promise<string[]> {
  const page = await context.newPage();
  try {
    await page.goto(url, { timeout: LOAD_MS });
    await page.waitForLoadState('networkidle', { timeout: SILENCE_MS }).catch(() => {});
    const links = await Promise.race([hrefsOf(page), sleep(LINKS_MS, [], { ref: false })]);
    return links.filter((link) => /^https?:/.test(link)).map(withoutFragment);
  } catch (error) {
    // Who opens a download stays on the page, and has the file.
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
  // Nobody may be waiting for it any more.
  found.catch(() => {});
  return found;
}

/** Does something for each, a few at a time. */
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
