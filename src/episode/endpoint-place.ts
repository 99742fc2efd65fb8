import { startGateway } from '../browser/gateway/gateway.ts';
import type { JudgedBrowser } from '../browser/judged-browser.ts';
import type { EndpointSurface, SeatTab } from '../surface/surface.ts';
import { viewportOf, type Task } from '../task/schema.ts';
import type { World } from '../world/way-in.ts';
import { type Place, START_TIMEOUT_MS } from './place.ts';
import { noTracing } from './tracing.ts';

/** Why there is no trace of what a tool does that attaches to a browser. */
const NOT_TRACED =
  'a second client would have to attach to the browser of the tool, which both could tell; its calls, replies and commands are in the events';

/**
 * Opens the start page in a browser that leads into the world, and a gateway before it. No client but the tool is connected.
 * @throws Error where the browser is not ours: its default context is its owner's, and no proxy of ours can be laid before it.
 */
export async function openEndpointPlace(
  surface: EndpointSurface,
  browser: JudgedBrowser,
  world: World,
  task: Task,
): Promise<Place> {
  if (browser.leadTo === null) throw new Error(`${surface.id} attaches to a browser, and this one is not ours`);
  browser.leadTo(world.proxy.server);
  const page = await browser.observer.freshPage();
  await browser.observer.size(page, viewportOf(task));
  const gateway = await startGateway(browser);
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
      // Whatever a tool has left in it, nobody else is to find.
      return false;
    },
  };
}
