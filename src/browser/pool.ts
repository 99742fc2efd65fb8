import type { BrowserBinary } from './find.ts';
import { launchBrowser, type OwnedBrowser } from './launch.ts';

/**
 * How episodes are kept apart: `context` gives each a fresh browser context of one warm Chromium,
 * `browser` a fresh Chromium with a fresh profile.
 */
export type Isolation = 'context' | 'browser';

/** A browser lent to one episode. */
export interface BrowserLease {
  browser: OwnedBrowser;
  /** Gives the browser back; one that is not healthy is ended, and the next episode gets another. */
  release(healthy: boolean): Promise<void>;
}

export interface PoolOptions {
  binary: BrowserBinary;
  trustedSpki: string | null;
}

/** Warm browsers. A spare is started in the gap between episodes, never during one, where it would slow the entrant down. */
export class BrowserPool {
  readonly #options: PoolOptions;
  #warm: Promise<OwnedBrowser> | null = null;
  readonly #lent = new Set<OwnedBrowser>();

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** @throws BrowserError when Chromium cannot be started. */
  async acquire(isolation: Isolation): Promise<BrowserLease> {
    const browser = await this.#takeWarm(isolation);
    this.#lent.add(browser);
    return {
      browser,
      release: async (healthy) => {
        this.#lent.delete(browser);
        if (isolation === 'context' && healthy && browser.isRunning()) return;
        if (isolation === 'context') this.#warm = null;
        await browser.close();
        if (isolation === 'browser') this.#warm ??= this.#launch();
      },
    };
  }

  async close(): Promise<void> {
    const warm = await this.#warm?.catch(() => null);
    this.#warm = null;
    const open = new Set(this.#lent);
    if (warm) open.add(warm);
    await Promise.all([...open].map((browser) => browser.close()));
  }

  async #takeWarm(isolation: Isolation): Promise<OwnedBrowser> {
    this.#warm ??= this.#launch();
    const warm = this.#warm;
    if (isolation === 'browser') this.#warm = null;
    const browser = await warm;
    if (browser.isRunning()) return browser;
    this.#warm = null;
    return await this.#takeWarm(isolation);
  }

  #launch(): Promise<OwnedBrowser> {
    const launching = launchBrowser(this.#options);
    // A failure is the next episode's to report, and the one after that may try again.
    launching.catch(() => {
      this.#warm = null;
    });
    return launching;
  }
}
