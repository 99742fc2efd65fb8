import { endpointAddress } from '../browser/endpoint-address.ts';
import type { BrowserIdentity, JudgedBrowser } from '../browser/judged-browser.ts';
import { BrowserPool, type PoolOptions } from '../browser/pool.ts';
import { canonicalJson } from '../contract/canonical.ts';
import { fact } from '../messages/messages.ts';
import { CampaignError } from '../plan/error.ts';

/** Each worker launches its own browser, or has one that runs already. */
export type BrowserSource = Extract<PoolOptions, { binary: unknown }> | { endpoints: readonly string[] };

/** A pool of browsers for each worker; those of given endpoints, or the first, exist from the beginning. */
export class WorkerBrowsers {
  readonly #source: BrowserSource;
  readonly #pools: BrowserPool[];

  constructor(source: BrowserSource) {
    this.#source = source;
    const all = 'endpoints' in source ? source.endpoints.map((endpoint) => ({ endpoint })) : [source];
    this.#pools = all.map((options) => new BrowserPool(options));
  }

  /** Returns the pools for this many workers: fewer if fewer endpoints were given. */
  of(workers: number): readonly BrowserPool[] {
    if (!('endpoints' in this.#source)) {
      while (this.#pools.length < workers) this.#pools.push(new BrowserPool(this.#source));
    }
    return this.#pools.slice(0, workers);
  }

  /**
   * Returns the one browser that rows name.
   * @throws BrowserError when a browser that we did not start does not answer, CampaignError when two are the same or differ
   */
  async identity(): Promise<BrowserIdentity> {
    const leases = await Promise.all(this.#pools.map((pool) => pool.acquire('context')));
    try {
      const browsers = leases.map(({ browser }) => browser);
      const [first] = browsers;
      if (first === undefined) throw new Error('there is no browser');
      if ('endpoints' in this.#source && browsers.length > 1) await refuseUnlike(browsers, this.#source.endpoints);
      return first.identity;
    } finally {
      await Promise.all(leases.map((lease) => lease.release(true)));
    }
  }

  /** Requests that browsers made on their own account, by host; all were refused. */
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

async function refuseUnlike(browsers: readonly JudgedBrowser[], endpoints: readonly string[]): Promise<void> {
  const nameOf = (index: number): string => endpointAddress(endpoints[index] ?? '').shown;
  const contexts: string[] = [];
  try {
    for (const [index, { observer, identity }] of browsers.entries()) {
      const { browserContextIds: before } = await observer.cdp.send('Target.getBrowserContexts');
      const same = contexts.findIndex((context) => before.includes(context));
      if (same !== -1) {
        throw new CampaignError(fact('browser_shared', { first: nameOf(same), second: nameOf(index) }));
      }
      const [one] = browsers;
      if (one !== undefined && canonicalJson(one.identity) !== canonicalJson(identity)) {
        const [first, second] = [nameOf(0), nameOf(index)];
        const [a, b] = [wordsFor(one.identity), wordsFor(identity)];
        throw new CampaignError(fact('browsers_differ', { first, second, one: a, other: b }));
      }
      // Context ids are random, so no other browser has this one.
      const made = await observer.cdp.send('Target.createBrowserContext', { disposeOnDetach: true });
      contexts.push(made.browserContextId);
    }
  } finally {
    await Promise.all(contexts.map((context, index) => disposed(context, browsers[index])));
  }
}

async function disposed(browserContextId: string, browser: JudgedBrowser | undefined): Promise<void> {
  await browser?.observer.cdp.send('Target.disposeBrowserContext', { browserContextId }).catch(() => {});
}

function wordsFor({ name, version, build }: BrowserIdentity): string {
  return `${name} ${version} (${build})`;
}
