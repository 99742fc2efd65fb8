import { chromium, type Browser } from 'playwright-core';

let launched: Promise<Browser> | null = null;

/** The Chromium that all browser tests of this process share; it ends with the process. */
export function sharedChromium(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: '/usr/lib/chromium/chromium', args: ['--no-sandbox'] });
  return launched;
}
