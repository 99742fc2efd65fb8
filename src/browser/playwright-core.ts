import { createRequire } from 'node:module';
import type * as Playwright from 'playwright-core';

const require = createRequire(import.meta.url);

/**
 * Loads Playwright when it is first asked for: it takes half a second, in which a browser that was started can get ready.
 * By `require`, since an import would read its three megabytes once more, to find out what they export.
 */
export function playwrightCore(): typeof Playwright {
  const loaded: typeof Playwright = require('playwright-core');
  return loaded;
}
