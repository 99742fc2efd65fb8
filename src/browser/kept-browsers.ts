import type { JudgedBrowser } from './judged-browser.ts';

/** Browsers that a closed pool leaves to the next one: starting them is most of the cost of a short campaign. */
class KeptBrowsers {
  readonly #kept = new Map<string, JudgedBrowser[]>();

  /** @param use the same for interchangeable browsers */
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

/** The browsers that are kept in this process; null if each pool closes its own. */
export function keptBrowsers(): KeptBrowsers | null {
  return kept;
}

/** @returns a function that closes them all; it does nothing if browsers were already kept */
export function keepBrowsers(): () => Promise<void> {
  if (kept !== null) return () => Promise.resolve();
  const own = new KeptBrowsers();
  kept = own;
  return async () => {
    kept = null;
    await own.close();
  };
}
