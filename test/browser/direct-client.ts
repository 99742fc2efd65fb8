import { type Browser, chromium } from 'playwright-core';
import type { JudgedBrowser } from '../../src/browser/judged-browser.ts';
import { PlaywrightTransport } from '../../src/browser/playwright-transport.ts';

export async function connectDirectly({ switchboard }: Pick<JudgedBrowser, 'switchboard'>): Promise<Browser> {
  return await chromium.connectOverCDP(await PlaywrightTransport.to(switchboard));
}
