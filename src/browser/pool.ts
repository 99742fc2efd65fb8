import { attachBrowser } from './attach.ts';
import type { BrowserBinary } from './find.ts';
import type { JudgedBrowser } from './judged-browser.ts';
import { keptBrowsers } from './kept-browsers.ts';
import { launchBrowser } from './launch.ts';

/** `context`: a fresh context of one warm Chromium for each episode; `browser`: a fresh Chromium. */
export type Isolation = 'context' | 'browser';

export interface BrowserLease {
  browser: JudgedBrowser;
  /** Gives the browser back, and resolves when the next may begin; one that is not healthy is ended, and the next episode gets another. */
  release(healthy: boolean): Promise<void>;
}

/** The source of a pool's browsers: launched from a binary, or the one that answers at an address. */
export type PoolOptions =
  | { binary: BrowserBinary; trustedSpki: string | null; headed?: boolean }
  | { endpoint: string };

/** The use that a browser keeps in the next pool: an entrant's never becomes the judge's. */
type Part = 'shared' | 'untouched';

function useOf(part: Part, { binary, trustedSpki, headed }: Extract<PoolOptions, { binary: unknown }>): string {
  return [part, binary.path, trustedSpki, headed === true && 'headed'].join(' ');
}

/** Warm browsers. A spare is started in the gap between episodes, never during one, where it would slow the entrant down. */
export class BrowserPool {
  readonly #options: PoolOptions;
  /** Every browser that was launched and has not ended. */
  readonly #open = new Set<Promise<JudgedBrowser>>();
  readonly #refused = new Map<string, number>();
  /** With the requests that each had refused before this pool got it. */
  readonly #running = new Map<JudgedBrowser, Record<string, number>>();
  #sharing = 0;
  #shared: Promise<JudgedBrowser> | null = null;
  /** One that was never lent: a client of ours that was connected once stays, and would answer a page's dialogs. */
  #spare: Promise<JudgedBrowser> | null = null;
  #untouched: Promise<JudgedBrowser> | null = null;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** @param asked ignored if the browser is not ours: there is only one */
  async acquire(asked: Isolation): Promise<BrowserLease> {
    const isolation = 'endpoint' in this.#options ? 'context' : asked;
    for (;;) {
      const lent = isolation === 'browser' ? this.#takeSpare() : (this.#shared ??= this.#takeShared());
      const browser = await lent;
      if (!browser.isFit()) {
        this.#forget(lent);
        continue;
      }
      if (isolation === 'context') this.#sharing += 1;
      return { browser, release: (healthy) => this.#release(isolation, lent, healthy) };
    }
  }

  /** A browser that no entrant reaches, before or after; null if we start no browsers. */
  async untouched(): Promise<JudgedBrowser | null> {
    if ('endpoint' in this.#options) return null;
    for (;;) {
      const launching = (this.#untouched ??= this.#takeKept('untouched') ?? this.#launch({ headed: false }));
      const browser = await launching;
      if (browser.isFit()) return browser;
      this.#forget(launching);
      await browser.close();
    }
  }

  /** Requests that browsers made on their own, by host; all were refused. */
  backgroundRequests(): Record<string, number> {
    const total = new Map(this.#refused);
    for (const [browser, before] of this.#running) addTo(total, since(before, browser.backgroundRequests()));
    return Object.fromEntries(total);
  }

  /** Ends all browsers, lent ones and spares too, except those kept in this process. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#keep('untouched', this.#untouched);
    if (this.#sharing === 0) await this.#keep('shared', this.#shared);
    await Promise.all([...this.#open].map((launching) => launching.then((browser) => browser.close()).catch(() => {})));
  }

  async #release(isolation: Isolation, lent: Promise<JudgedBrowser>, healthy: boolean): Promise<void> {
    const browser = await lent;
    if (isolation === 'context') this.#sharing -= 1;
    if (isolation === 'context' && healthy && browser.isFit()) return;
    this.#forget(lent);
    await browser.close();
    if (isolation !== 'browser' || this.#closed) return;
    this.#spare ??= this.#launch();
    // The gap lasts until the spare is there. If it could not be started, its next user gets the error.
    await this.#spare.catch(() => {});
  }

  #takeSpare(): Promise<JudgedBrowser> {
    const spare = this.#spare ?? this.#launch();
    this.#spare = null;
    return spare;
  }

  #takeShared(): Promise<JudgedBrowser> {
    return this.#spare === null ? (this.#takeKept('shared') ?? this.#launch()) : this.#takeSpare();
  }

  #takeKept(part: Part): Promise<JudgedBrowser> | null {
    if (this.#closed || 'endpoint' in this.#options) return null;
    const browser = keptBrowsers()?.take(useOf(part, this.#options)) ?? null;
    if (browser === null) return null;
    const taken = Promise.resolve(browser);
    void this.#follow(taken, browser.backgroundRequests());
    return taken;
  }

  /** Leaves a fit browser to the next pool, if browsers are kept. */
  async #keep(part: Part, launching: Promise<JudgedBrowser> | null): Promise<void> {
    const kept = keptBrowsers();
    const browser = await launching?.catch(() => null);
    if (kept === null || launching === null || 'endpoint' in this.#options || browser?.isFit() !== true) return;
    this.#open.delete(launching);
    this.#forget(launching);
    kept.put(useOf(part, this.#options), browser);
  }

  #launch(other: { headed?: boolean } = {}): Promise<JudgedBrowser> {
    if (this.#closed) throw new Error('the pool of browsers is closed');
    const options = this.#options;
    const launching: Promise<JudgedBrowser> =
      'endpoint' in options ? attachBrowser(options.endpoint) : launchBrowser({ ...options, ...other });
    void this.#follow(launching, {});
    return launching;
  }

  async #follow(launching: Promise<JudgedBrowser>, before: Record<string, number>): Promise<void> {
    this.#open.add(launching);
    try {
      const browser = await launching;
      this.#running.set(browser, before);
      await browser.ended;
      this.#running.delete(browser);
      addTo(this.#refused, since(before, browser.backgroundRequests()));
    } catch {
      // The user of this browser gets the error, and the next one may try again.
    } finally {
      this.#open.delete(launching);
      this.#forget(launching);
    }
  }

  #forget(browser: Promise<JudgedBrowser>): void {
    if (this.#shared === browser) this.#shared = null;
    if (this.#spare === browser) this.#spare = null;
    if (this.#untouched === browser) this.#untouched = null;
  }
}

function addTo(total: Map<string, number>, counts: Record<string, number>): void {
  for (const [host, count] of Object.entries(counts)) total.set(host, (total.get(host) ?? 0) + count);
}

function since(before: Record<string, number>, now: Record<string, number>): Record<string, number> {
  const added = Object.entries(now).map(([host, count]) => [host, count - (before[host] ?? 0)] as const);
  return Object.fromEntries(added.filter(([, count]) => count > 0));
}
