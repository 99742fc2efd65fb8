import { ContextLens } from '../browser/gateway/context-lens.ts';
import { type Gateway, startGateway } from '../browser/gateway/gateway.ts';
import type { JudgedBrowser } from '../browser/judged-browser.ts';
import type { ObservedPage } from '../browser/observer.ts';
import type { EndpointSurface, SeatTab } from '../surface/surface.ts';
import type { Task } from '../task/schema.ts';
import { viewportOf } from '../task/viewport.ts';
import type { World } from '../world/world.ts';
import { type Place, START_TIMEOUT_MS } from './place.ts';
import { noTracing } from './tracing.ts';

/** Why there is no trace of what a tool does that attaches to a browser. */
const NOT_TRACED =
  'a second client would have to attach to the browser of the tool, which both could tell; its calls, replies and commands are in the events';

/** All of a browser that the tool is given. */
interface Site {
  page: ObservedPage;
  gateway: Gateway;
  /** Ends what is left of it when nobody is connected any more. False when the browser is not fit for another episode. */
  clear: () => Promise<boolean>;
}

/** Opens the start page in a browser that leads into the world, and a gateway before it. No client but the tool is connected. */
export async function openEndpointPlace(
  surface: EndpointSurface,
  browser: JudgedBrowser,
  world: World,
  task: Task,
): Promise<Place> {
  const { page, gateway, clear } = await openSite(browser, world, task);
  const tabs = (): SeatTab[] =>
    browser.observer.pages(page.contextId).map(({ targetId: id }) => ({ id, isTools: gateway.opened.has(id) }));
  return {
    contextId: page.contextId,
    start: (url) => browser.observer.open(page, url, START_TIMEOUT_MS),
    openSurface: async (signal) => {
      const session = await surface.open({ cdpUrl: gateway.url, cdpPort: gateway.port, tabs }, signal);
      // A tab that a tool opens to get ready is not yet where anybody works.
      browser.observer.touch(page.targetId);
      return session;
    },
    gateway,
    tracing: noTracing(NOT_TRACED),
    endEntrant: () => gateway.close(),
    close: async () => {
      await gateway.close();
      return await clear();
    },
  };
}

async function openSite(browser: JudgedBrowser, world: World, task: Task): Promise<Site> {
  if (browser.leadTo === null) return await openLensed(browser, world, task);
  browser.leadTo(world.proxy.server);
  const page = await browser.observer.freshPage();
  await browser.observer.size(page, viewportOf(task));
  // Whatever a tool has left in it, nobody else is to find.
  return { page, gateway: await startGateway(browser), clear: () => Promise.resolve(false) };
}

/**
 * A context of a browser that is not ours, as if it were a whole one: the default context is its owner's, and no proxy of ours
 * can be laid before it.
 */
async function openLensed(browser: JudgedBrowser, { proxy }: World, task: Task): Promise<Site> {
  const { observer } = browser;
  await browser.leavePlaywright();
  const { browserContextId: contextId } = await observer.cdp.send('Target.createBrowserContext', {
    proxyServer: proxy.server,
    proxyBypassList: proxy.bypass,
    disposeOnDetach: true,
  });
  const viewport = viewportOf(task);
  await observer.lead(contextId, viewport);
  const lens = new ContextLens({ observer, contextId, proxy, viewport });
  const page = await observer.newPage(contextId);
  const clear = async (): Promise<boolean> => {
    try {
      await observer.cdp.send('Target.disposeBrowserContext', { browserContextId: contextId });
      observer.contextEnded(contextId);
      return true;
    } catch {
      return false;
    }
  };
  return { page, gateway: await startGateway(browser, lens), clear };
}
