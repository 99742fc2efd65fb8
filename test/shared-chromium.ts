import type { Browser } from 'playwright-core';
import { sharedBrowser } from './shared-browser.ts';

/** The Chromium that all browser tests of this process share, as Playwright sees it. */
export async function sharedChromium(): Promise<Browser> {
  return await (await sharedBrowser()).playwright();
}
