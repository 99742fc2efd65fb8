import { BrowserPool, type PoolOptions } from '../browser/pool.ts';

/** The browsers of a campaign's workers: a pool each, of which the first is there from the beginning. */
export class WorkerBrowsers {
  readonly #options: PoolOptions;
  readonly #pools: BrowserPool[] = [];
  readonly first: BrowserPool;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.first = this.another();
  }

  another(): BrowserPool {
    const pool = new BrowserPool(this.#options);
    this.#pools.push(pool);
    return pool;
  }

  /** Requests that any of the browsers ever made on its own account, by host; all were refused. */
  backgroundRequests(): Record<string, number> {
    const total: Record<string, number> = {};
    for (const [host, count] of this.#pools.flatMap((pool) => Object.entries(pool.backgroundRequests()))) {
      total[host] = (total[host] ?? 0) + count;
    }
    return total;
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.close()));
  }
}
