import { loadInFreshContext, type FreshLoad } from '../browser/fresh-context.ts';
import type { JudgedBrowser } from '../browser/judged-browser.ts';
import { type Captured, type Evidence, missing, type PageEvidence } from '../contract/evidence.ts';
import { messageOf } from '../contract/message-of.ts';
import type { WorldProxy, World } from '../world/world-proxy.ts';
import { fingerprint, settle } from './settle.ts';

const NOT_SERVED = 'the page was loaded, and the log of the world has nothing of that load';

type Network = Awaited<ReturnType<World['network']>>;

interface FreshOptions extends Pick<FreshLoad, 'cookies' | 'viewport'> {
  page: PageEvidence;
  /** The log until the page was captured. */
  network: Network;
  untouched: () => Promise<Pick<JudgedBrowser, 'observer'>>;
  world: Pick<World, 'anotherProxy' | 'offsetMs'>;
  settleMs: number;
}

/** Reloads the address of an open page, by the judge's own way into the world. */
export async function loadFresh({
  page,
  network,
  untouched,
  world,
  settleMs,
  ...options
}: FreshOptions): Promise<Evidence['fresh']> {
  const url = addressToLoad(page.url, network);
  if (!url.captured) return url;
  const atRest = async (read: () => Promise<PageEvidence | undefined>) => {
    const { value } = await settle({
      capture: read,
      fingerprint: (shown) => (shown === undefined ? null : fingerprint({ pages: [shown] })),
      settleMs,
      meanwhile: () => Promise.resolve(),
    });
    return value;
  };
  let way: WorldProxy | null = null;
  try {
    const { observer } = await untouched();
    way = await world.anotherProxy();
    const { offsetMs } = world;
    const load = { ...options, url: url.value, proxy: way.proxy, offsetMs, settle: atRest };
    const loaded = await loadInFreshContext(observer, load);
    return !loaded.captured || wasServed(url.value, await way.network()) ? loaded : missing(NOT_SERVED);
  } catch (error) {
    return missing(messageOf(error));
  } finally {
    // Waits for changes that the page began while it loaded.
    await way?.cut();
    await way?.close();
  }
}

/** The address, unless the page was the answer to a form, which must not be sent again. */
function addressToLoad(shown: Captured<string>, network: Network): Captured<string> {
  if (!shown.captured) return shown;
  const url = shown.value.replace(/#.*$/s, '');
  if (!/^https?:/.test(url)) return missing(`${url} is not an address of the world`);
  if (!network.captured) return network;
  const method = network.value.entries.findLast((entry) => entry.url === url)?.method ?? 'GET';
  return method === 'GET' ? shown : missing(`it came as the answer to a ${method}, which is not to be sent again`);
}

/** Whether the judge's own way received a request for the address: a page that the world did not send proves nothing. */
function wasServed(address: string, network: Network): boolean {
  if (!network.captured) return false;
  const asked = new URL(address);
  asked.hash = asked.username = asked.password = '';
  return network.value.entries.some(({ url }) => url === asked.href);
}
