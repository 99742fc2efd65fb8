import type { JudgedBrowser } from './judged-browser.ts';

/** Browsers that a pool of this process has done with, for the pool after it: most of what a short campaign costs is their start. */
class KeptBrowsers {
  readonly #kept = new Map<string, JudgedBrowser[]>();

  /** @param use the same for browsers that can replace each other */
  put(use: string, browser: JudgedBrowser): void {
    this.#kept.set(use, [browser, ...(this.#kept.get(use) ?? [])]);
  }

  take(use: string): JudgedBrowser | null {
    const [fit, ...others] = (this.#kept.get(use) ?? []).filter((browser) => browser.isFit());
    this.#kept.set(use, others);
    return fit ?? null;
  }

  async close(): Promise<void> {
    const all = [...this.#kept.values()].flat();
    this.#kept.clear();
    await Promise.all(all.map((browser) => browser.close()));
  }
}

let kept: KeptBrowsers | null = null;

/** The browsers that are kept in this process; null where each pool ends its own. */
export function keptBrowsers(): KeptBrowsers | null {
  return kept;
}

/** @returns what ends them all; it does nothing if browsers were kept already */
export function keepBrowsers(): () => Promise<void> {
  if (kept !== null) return () => Promise.resolve();
  const own = new KeptBrowsers();
  kept = own;
  return async () => {
    kept = null;
    await own.close();
  };
}
