import { expect, onTestFinished } from 'vitest';
import { attachBrowser } from '../../../src/browser/attach.ts';
import { CdpConnection } from '../../../src/browser/cdp.ts';
import type { JudgedBrowser } from '../../../src/browser/judged-browser.ts';
import { socketWire } from '../../../src/browser/wire.ts';
import { openEndpointPlace } from '../../../src/episode/endpoint-place.ts';
import type { Place } from '../../../src/episode/place.ts';
import type { EndpointSurface } from '../../../src/surface/surface.ts';
import { defineTask } from '../../../src/task/validate.ts';
import type { World } from '../../../src/world/world.ts';
import { openWorld, type Pages } from '../scene.ts';
import { type TheirBrowser, theirBrowser } from '../their-browser.ts';

/** Nobody opens it: the tests are the clients. */
const NOBODY: EndpointSurface = {
  id: 'nobody',
  version: '1',
  interaction: 'multi-turn',
  unavailable: null,
  needs: 'endpoint',
  open: () => Promise.reject(new Error('nobody opens it')),
};

/** The place of a tool in a browser that is not ours, whose owner has a page and a cookie in it. */
export interface LensedPlace {
  owner: TheirBrowser;
  /** The owner's own connection, and the ids of what is theirs. */
  theirs: { cdp: CdpConnection; targetId: string; contextId: string };
  browser: JudgedBrowser;
  world: World;
  place: Place;
  /** Host and port of the gateway, or of it a path as a WebSocket. */
  gateway: (path?: string) => string;
}

/**
 * Opened with a page of the world as its start page, and gone with the test.
 * @param before what happens in the browser before that
 */
export async function lensedPlace(
  pages: Pages,
  start: string,
  before?: (browser: JudgedBrowser) => Promise<void>,
): Promise<LensedPlace> {
  const owner = await theirBrowser();
  const cdp = await connected(owner.socket);
  const theirPage = async () => (await cdp.send('Target.getTargets')).targetInfos.find(({ title }) => title === 'Mine');
  // The list that is fetched by HTTP may name it sooner.
  await expect.poll(theirPage).toBeDefined();
  const mine = await theirPage();
  await cdp.send('Storage.setCookies', { cookies: [{ name: 'login', value: 'theirs', url: start }] });
  const world = await openWorld(pages);
  onTestFinished(() => world.close());
  const browser = await attachBrowser(owner.address);
  onTestFinished(() => browser.close());
  await before?.(browser);
  const task = defineTask({
    id: 'lensed',
    title: 'Lensed',
    startUrl: start,
    goal: 'Look around.',
    success: { kind: 'dom_text', selector: 'h1', contains: 'Done' },
  });
  const place = await openEndpointPlace(NOBODY, browser, world, task);
  onTestFinished(async () => void (await place.close()));
  await place.start(start);
  const { host } = new URL(place.gateway?.url ?? '');
  return {
    owner,
    theirs: { cdp, targetId: mine?.targetId ?? '', contextId: mine?.browserContextId ?? '' },
    browser,
    world,
    place,
    gateway: (path) => (path === undefined ? `http://${host}` : `ws://${host}${path}`),
  };
}

/** A connection that ends with the test. */
export async function connected(address: string): Promise<CdpConnection> {
  const cdp = new CdpConnection(await socketWire(address, 10_000, address));
  onTestFinished(() => {
    cdp.close();
  });
  return cdp;
}
