import type { Browser } from 'playwright-core';
import { clearFolder, makeFolder, removeFolder } from '../process/own-folder.ts';
import { playwrightCore } from './playwright-core.ts';
import { PlaywrightTransport } from './playwright-transport.ts';
import type { Switchboard } from './switchboard.ts';

/** Playwright's connection to a browser that is judged, made when it is first needed. */
export class PlaywrightConnection {
  readonly #switchboard: Switchboard;
  readonly #timeoutMs: number;
  #browser: Promise<Browser> | null = null;
  #isLost = false;

  constructor(switchboard: Switchboard, timeoutMs: number) {
    this.#switchboard = switchboard;
    this.#timeoutMs = timeoutMs;
  }

  open(): Promise<Browser> {
    this.#browser ??= this.#connect();
    return this.#browser;
  }

  /** Whether it has ended. */
  get isLost(): boolean {
    return this.#isLost;
  }

  async close(): Promise<void> {
    await (await this.#browser)?.close();
  }

  async #connect(): Promise<Browser> {
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
