import type { Protocol } from 'devtools-protocol';
import { type Captured, missing, type PageEvidence, present } from '../contract/evidence.ts';
import { messageOf } from '../contract/message-of.ts';
import { capturePages } from './capture.ts';
import type { Observer } from './observer.ts';

/** Time limits of loading and of every other command, in ms. */
const LOAD_TIMEOUT_MS = 10_000;
const COMMAND_TIMEOUT_MS = 4_000;

type Cookies = Protocol.Network.Cookie[];

export async function readCookies({ cdp }: Observer, contextId: string): Promise<Captured<Cookies>> {
  try {
    const asked = { browserContextId: contextId };
    const { cookies } = await cdp.send('Storage.getCookies', asked, { timeoutMs: COMMAND_TIMEOUT_MS });
    return present(cookies);
  } catch (error) {
    return missing(messageOf(error));
  }
}

export interface FreshLoad {
  /** Cookies of the open page. */
  cookies: Cookies;
  url: string;
  /** In CSS pixels. */
  viewport: { width: number; height: number };
  proxy: { server: string; bypass: string };
  /** The lead of its time over the machine's, in ms. */
  offsetMs?: number | undefined;
  /** Waits until the page has settled, given how it is read. */
  settle(read: () => Promise<PageEvidence | undefined>): Promise<PageEvidence | undefined>;
}

/**
 * Loads an address again with the same cookies, in a context of its own: without the cache, service workers, storage and scripts of
 * the open page. Disposes of the context afterwards.
 * @param observer of the browser that loads it, preferably one that no entrant has reached
 */
export async function loadInFreshContext(observer: Observer, options: FreshLoad): Promise<Captured<PageEvidence>> {
  const { cdp } = observer;
  const timeout = { timeoutMs: COMMAND_TIMEOUT_MS };
  let contextId: string | null = null;
  try {
    const { cookies } = options;
    const { server: proxyServer, bypass: proxyBypassList } = options.proxy;
    const made = await cdp.send('Target.createBrowserContext', { proxyServer, proxyBypassList }, timeout);
    contextId = made.browserContextId;
    await cdp.send('Storage.setCookies', { cookies, browserContextId: contextId }, timeout);
    const page = await observer.newPage(contextId);
    if (options.offsetMs !== undefined) await observer.moveTime(contextId, options.offsetMs);
    await observer.size(page, options.viewport);
    await observer.open(page, options.url, LOAD_TIMEOUT_MS);
    const ownContext = contextId;
    const shown = await options.settle(async () => (await capturePages(observer, ownContext)).pages[0]);
    return shown === undefined ? missing('it closed itself') : present(shown);
  } catch (error) {
    return missing(messageOf(error));
  } finally {
    const gone = contextId;
    if (gone !== null) {
      await cdp.send('Target.disposeBrowserContext', { browserContextId: gone }, timeout).catch(() => {});
      observer.contextEnded(gone);
    }
  }
}
