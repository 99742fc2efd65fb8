import { createRequire } from 'node:module';
import type * as Playwright from 'playwright-core';
import { clearFolder, makeFolder, removeFolder } from '../process/own-folder.ts';
import { PlaywrightTransport } from './playwright-transport.ts';
import type { Switchboard } from './switchboard.ts';

export class PlaywrightConnection {
  readonly #switchboard: Switchboard;
  readonly #timeoutMs: number;
  #browser: Promise<Playwright.Browser> | null = null;
  #isLost = false;

  constructor(switchboard: Switchboard, timeoutMs: number) {
    this.#switchboard = switchboard;
    this.#timeoutMs = timeoutMs;
  }

  open(): Promise<Playwright.Browser> {
    this.#browser ??= this.#connect();
    return this.#browser;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  async close(): Promise<void> {
    await (await this.#browser)?.close();
  }

  async #connect(): Promise<Playwright.Browser> {
    const transport = await PlaywrightTransport.to(this.#switchboard);
    // If Playwright made a folder itself, it would stay behind when this process is killed.
    const artifactsDir = makeFolder('artifacts');
    const options = { artifactsDir, timeout: this.#timeoutMs };
    const browser = await playwrightCore()
      .chromium.connectOverCDP(transport, options)
      .catch((error: unknown) => {
        removeFolder(artifactsDir);
        throw error;
      });
    browser.on('disconnected', () => {
      void clearFolder(artifactsDir);
      this.#isLost = true;
    });
    return browser;
  }
}

const require = createRequire(import.meta.url);

/**
 * Loads Playwright when it is first asked for: it takes half a second, in which a browser that was started can get ready.
 * By `require`, since an import would read its three megabytes again to find its exports.
 */
export function playwrightCore(): typeof Playwright {
  const loaded: typeof Playwright = require('playwright-core');
  return loaded;
}
