import { once } from 'node:events';
import { type Browser, chromium } from 'playwright-core';
import { connect } from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { connected, type LensedPlace, lensedPlace } from './lensed-place.ts';

const START = 'http://a.localhost/';
const PAGES = {
  [START]: '<h1>Start</h1><iframe src="http://b.localhost/frame"></iframe><script>new Worker("/worker.js")</script>',
  'http://a.localhost/worker.js': () =>
    new Response('setInterval(() => {}, 1000)', { headers: { 'content-type': 'text/javascript' } }),
  'http://a.localhost/report': () =>
    new Response('figures', { headers: { 'content-disposition': 'attachment; filename="report.txt"' } }),
  'http://b.localhost/frame': '<p>In the frame</p>',
  'https://secure.test/': '<h1>Secure</h1>',
};

const Listed = z.array(z.looseObject({ type: z.string() }));
const SESSION = { flatten: true } as const;

/** All that a client hears, in texts. */
async function listening(address: string): Promise<{ socket: WebSocket; heard: string[] }> {
  const socket = new WebSocket(address);
  const heard: string[] = [];
  socket.on('message', (data: Buffer) => heard.push(data.toString('utf8')));
  await once(socket, 'open');
  onTestFinished(() => {
    socket.terminate();
  });
  return { socket, heard };
}

/** Resolves when there are replies of these numbers. */
async function answered({ socket, heard }: Awaited<ReturnType<typeof listening>>, ...ids: number[]): Promise<void> {
  const isThere = (id: number): boolean => heard.some((text) => text.startsWith(`{"id":${id},`));
  while (!ids.every(isThere)) await once(socket, 'message');
}

test('Playwright finds the start page alone, in what it takes for the default context, and none of the owner’s cookies', async () => {
  const { gateway } = await lensedPlace(PAGES, START);
  const client = await chromium.connectOverCDP(gateway());
  const [context, ...others] = client.contexts();
  expect(others).toEqual([]);
  expect(context?.pages().map((page) => page.url())).toEqual([START]);
  expect(await context?.cookies()).toEqual([]);
  const [page] = context?.pages() ?? [];
  expect(await page?.frameLocator('iframe').locator('p').textContent()).toBe('In the frame');
  await client.close();
});

test('Puppeteer finds the start page alone, with its frames and workers, and none of the owner’s cookies', async () => {
  const { gateway } = await lensedPlace(PAGES, START);
  const client = await connect({ browserURL: gateway(), defaultViewport: null });
  const pages = await client.pages();
  expect(pages.map((page) => page.url())).toEqual([START]);
  expect(client.browserContexts()).toHaveLength(1);
  expect(await client.cookies()).toEqual([]);
  await expect.poll(() => pages[0]?.workers()).toHaveLength(1);
  const frame = await pages[0]?.waitForFrame('http://b.localhost/frame');
  expect(await frame?.$eval('p', ({ textContent }) => textContent)).toBe('In the frame');
  await client.disconnect();
});

test('a session of a page has cookies of its own context, and neither reads nor clears the owner’s', async () => {
  const { gateway, place, browser, theirs } = await lensedPlace(PAGES, START);
  const [page] = browser.observer.pages(place.contextId);
  const client = await connected(gateway(`/devtools/page/${page?.targetId}`));
  await client.send('Storage.setCookies', { cookies: [{ name: 'own', value: 'of the page', url: START }] });
  expect(await client.send('Storage.getCookies')).toMatchObject({ cookies: [{ name: 'own' }] });
  await client.send('Storage.clearCookies');
  expect(await client.send('Storage.getCookies')).toEqual({ cookies: [] });
  expect((await theirs.cdp.send('Storage.getCookies')).cookies).toMatchObject([{ name: 'login', value: 'theirs' }]);
});

test('the description tells of the start page alone, and leads to no other', async () => {
  const { gateway, theirs } = await lensedPlace(PAGES, START);
  for (const path of ['/json', '/json/list']) {
    const listed = Listed.parse(await (await fetch(gateway() + path)).json());
    const pages = listed.filter(({ type }) => type === 'page');
    expect(pages).toMatchObject([{ url: START }]);
    expect(JSON.stringify(listed)).not.toContain('Mine');
  }
  const turnedAway = new WebSocket(gateway(`/devtools/page/${theirs.targetId}`));
  expect(String(await once(turnedAway, 'error'))).toContain('403');
});

const NAMING: [why: string, method: string, params: (theirs: LensedPlace['theirs'], home: string) => object][] = [
  ['attach', 'Target.attachToTarget', ({ targetId }) => ({ targetId, ...SESSION })],
  ['look', 'Target.getTargetInfo', ({ targetId }) => ({ targetId })],
  ['close', 'Target.closeTarget', ({ targetId }) => ({ targetId })],
  ['activate', 'Target.activateTarget', ({ targetId }) => ({ targetId })],
  ['find its window', 'Browser.getWindowForTarget', ({ targetId }) => ({ targetId })],
  ['move a window that it was not told of', 'Browser.setWindowBounds', () => ({ windowId: 1, bounds: { left: 9 } })],
  [
    'open a page beside it',
    'Target.createTarget',
    ({ contextId: browserContextId }) => ({ url: 'about:blank', browserContextId }),
  ],
  ['read its cookies', 'Storage.getCookies', ({ contextId: browserContextId }) => ({ browserContextId })],
  [
    'speak to it in a command in a command',
    'Target.sendMessageToTarget',
    ({ targetId }) => ({ targetId, message: '{"id":1,"method":"Page.reload"}' }),
  ],
  ['end its context', 'Target.disposeBrowserContext', ({ contextId: browserContextId }) => ({ browserContextId })],
  [
    'end the context of the episode',
    'Target.disposeBrowserContext',
    (_theirs, browserContextId) => ({ browserContextId }),
  ],
  ['hold up the requests of all pages', 'Fetch.enable', () => ({})],
  ['have all pages take any certificate', 'Security.setIgnoreCertificateErrors', () => ({ ignore: true })],
  ['record all pages', 'Tracing.start', () => ({})],
];

test.each(NAMING)('who knows the ids of the owner cannot %s', async (_why, method, params) => {
  const { gateway, theirs, place, owner, browser } = await lensedPlace(PAGES, START);
  const client = await listening(gateway('/devtools/browser'));
  const { socket, heard } = client;
  const [{ targetId } = { targetId: '' }] = browser.observer.pages(place.contextId);
  socket.send(JSON.stringify({ id: 1, method: 'Target.attachToTarget', params: { targetId, ...SESSION } }));
  await answered(client, 1);
  const { sessionId } = JSON.parse(heard.find((text) => text.startsWith('{"id":1,')) ?? '{}').result;
  const named = params(theirs, place.contextId);
  socket.send(JSON.stringify({ id: 2, method, params: named }));
  await answered(client, 2);
  // An event may come after a reply.
  const replyTo = (id: number) => heard.find((text) => text.startsWith(`{"id":${id},`));
  expect(replyTo(2)).toContain('"error"');
  // Some mean something else to a page, which is the client's own.
  const isOfPage = method === 'Fetch.enable' || method === 'Security.setIgnoreCertificateErrors';
  socket.send(JSON.stringify({ id: 3, method, params: named, sessionId }));
  await answered(client, 3);
  expect(replyTo(3)?.includes('"error"')).toBe(!isOfPage);
  expect(place.gateway?.log.violations()).toEqual({});
  expect(place.gateway?.log.refused()).toMatchObject({ [method]: expect.any(Number) });
  expect(await owner.titles()).toContain('Mine');
});

test.each([
  ['pages', 'tab'],
  ['tabs', 'page'],
])(
  'a page that the owner opens meanwhile is not held up by who holds new %s, and hears nothing of it',
  async (_held, type) => {
    const { gateway, theirs, owner } = await lensedPlace(PAGES, START);
    const client = await listening(gateway('/devtools/browser'));
    const { socket, heard } = client;
    const filter = [{}];
    const held = {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type, exclude: true }, {}],
    };
    socket.send(JSON.stringify({ id: 1, method: 'Target.setDiscoverTargets', params: { discover: true, filter } }));
    socket.send(JSON.stringify({ id: 2, method: 'Target.setAutoAttach', params: held }));
    await answered(client, 1, 2);
    expect(heard).toContainEqual('{"id":2,"result":{}}');
    const { targetId } = await theirs.cdp.send('Target.createTarget', {
      url: 'data:text/html,<title>Also mine</title>',
    });
    await expect.poll(owner.titles).toContain('Also mine');
    await theirs.cdp.send('Target.closeTarget', { targetId });
    await expect.poll(owner.titles).not.toContain('Also mine');
    // Two that are alike, so that it cannot be told which is answered.
    for (const id of [3, 3, 4]) socket.send(JSON.stringify({ id, method: 'Target.getTargets', params: { filter } }));
    socket.send(JSON.stringify({ id: 5, method: 'Target.getBrowserContexts' }));
    await answered(client, 4, 5);
    expect(heard.some((text) => text.includes(START))).toBe(true);
    const all = heard.join('\n');
    for (const told of ['mine', 'Mine', targetId, theirs.targetId, theirs.contextId]) expect(all).not.toContain(told);
  },
);

test('pages that the client opens are in the world, in contexts of its own too, and gone with the episode', async () => {
  const { gateway, world, owner, place, theirs } = await lensedPlace(PAGES, START);
  const client = await connected(gateway('/devtools/browser'));
  const made = await client.send('Target.createBrowserContext', { proxyBypassList: 'outside.test;*' });
  const contexts: ({ browserContextId: string } | undefined)[] = [undefined, made];
  for (const [at, context] of contexts.entries()) {
    const { targetId } = await client.send('Target.createTarget', { url: 'about:blank', ...context });
    const { sessionId } = await client.send('Target.attachToTarget', { targetId, ...SESSION });
    await client.send('Page.enable', undefined, { sessionId });
    const loaded = new Promise<void>((resolve) => {
      client.on('Page.loadEventFired', (_event, from) => {
        if (from === sessionId) resolve();
      });
    });
    await client.send('Page.navigate', { url: 'https://secure.test/' }, { sessionId });
    await loaded;
    const asking = {
      expression: 'fetch("https://outside.test/").catch(() => {}).then(() => document.body.innerText + innerWidth)',
      awaitPromise: true,
    };
    expect(await client.send('Runtime.evaluate', asking, { sessionId })).toMatchObject({
      result: { value: 'Secure1280' },
    });
    expect(world.outside()).toEqual({ 'outside.test:443': at + 1 });
  }
  expect((await client.send('Target.getBrowserContexts')).browserContextIds).toEqual([made.browserContextId]);
  await place.endEntrant();
  expect(await place.close()).toBe(true);
  await expect.poll(owner.titles).toEqual(['Mine']);
  expect((await theirs.cdp.send('Target.getBrowserContexts')).browserContextIds).toEqual([]);
  const { cookies } = await theirs.cdp.send('Storage.getCookies');
  expect(cookies).toMatchObject([{ name: 'login', value: 'theirs' }]);
});

test('a download is cancelled, where the client asks for the default of the browser too', async () => {
  const { gateway } = await lensedPlace(PAGES, START);
  const client = await connected(gateway('/devtools/browser'));
  await client.send('Browser.setDownloadBehavior', { behavior: 'default', eventsEnabled: true });
  const ended = new Promise<string>((resolve) => {
    client.on('Browser.downloadProgress', ({ state }) => {
      if (state !== 'inProgress') resolve(state);
    });
  });
  const { targetId } = await client.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await client.send('Target.attachToTarget', { targetId, ...SESSION });
  await client.send('Page.navigate', { url: 'http://a.localhost/report' }, { sessionId });
  expect(await ended).toBe('canceled');
});

test('the window of a page that is closed is asked for in vain, and the browser of the owner stays', async () => {
  const { gateway, browser, place } = await lensedPlace(PAGES, START);
  const client = await connected(gateway('/devtools/browser'));
  const { targetId } = await client.send('Target.createTarget', { url: 'about:blank' });
  const { windowId } = await client.send('Browser.getWindowForTarget', { targetId });
  expect(await client.send('Browser.getWindowBounds', { windowId })).toMatchObject({ bounds: {} });
  await client.send('Target.closeTarget', { targetId });
  await expect.poll(() => browser.observer.pages(place.contextId)).toHaveLength(1);
  await expect(client.send('Browser.getWindowForTarget', { targetId })).rejects.toThrow('No target');
  expect(browser.isFit()).toBe(true);
});

test('no client of ours is left in the browser, who would answer the dialogs of the tool’s pages', async () => {
  const clients: Browser[] = [];
  const { browser } = await lensedPlace(PAGES, START, async (before) => {
    clients.push(await before.playwright());
  });
  expect(clients.map((client) => client.isConnected())).toEqual([false]);
  expect(browser.isFit()).toBe(true);
  expect((await browser.playwright()).isConnected()).toBe(true);
});
