import { type Browser, chromium } from 'playwright-core';

/** Playwright's connection to a browser of ours, made when it is first needed. */
export class PlaywrightConnection {
  readonly #endpoint: string;
  readonly #timeoutMs: number;
  #browser: Promise<Browser> | null = null;
  #isLost = false;

  constructor(endpoint: string, timeoutMs: number) {
    this.#endpoint = endpoint;
    this.#timeoutMs = timeoutMs;
  }

  open(): Promise<Browser> {
    this.#browser ??= this.#connect();
    return this.#browser;
  }

  /** True once it stands no more, whoever ended it. */
  get isLost(): boolean {
    return this.#isLost;
  }

  async close(): Promise<void> {
    await (await this.#browser)?.close();
  }

  async #connect(): Promise<Browser> {
    const browser = await chromium.connectOverCDP(this.#endpoint, { timeout: this.#timeoutMs });
    browser.on('disconnected', () => {
      this.#isLost = true;
    });
    return browser;
  }
}
