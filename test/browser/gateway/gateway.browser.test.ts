import { once } from 'node:events';
import { createServer } from 'node:http';
import { type Browser, chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { type Gateway, startGateway } from '../../../src/browser/gateway/gateway.ts';
import { machineBrowser, sharedBrowser } from '../../shared-browser.ts';
import { connectDirectly } from '../direct-client.ts';
import { answering, openWorld } from '../../world/open-world.ts';

const AddressInfo = z.object({ port: z.int() });

async function withGateway(work: (gateway: Gateway) => Promise<void>): Promise<void> {
  const gateway = await startGateway(await sharedBrowser());
  try {
    await work(gateway);
  } finally {
    await gateway.close();
  }
}

test('a client works through the gateway as on the browser itself, and every command is counted', async () => {
  const html = '<!doctype html><title>Here</title><button onclick="document.title = \'There\'">Go</button>';
  const app = answering(() => new Response(html, { headers: { 'content-type': 'text/html' } }));
  await using world = await openWorld({ 'http://a.test': app });
  await withGateway(async (gateway) => {
    const client = await chromium.connectOverCDP(gateway.url);
    const context = await client.newContext();
    const page = await context.newPage();
    expect(gateway.log.commands).toBeGreaterThan(3);
    expect(gateway.log.violations()).toEqual({});
    await expect(page.goto('file:///etc/passwd')).rejects.toThrow('refused by Touchstone');
    expect(gateway.log.violations()).toEqual({ 'Page.navigate': 1 });
    await expect(client.newContext({ proxy: world.proxy })).rejects.toThrow('another proxy');
    await context.close();
    await client.close();
  });
});

test('the addresses that the gateway reports lead to the gateway, not to the browser', async () => {
  await withGateway(async ({ url, port }) => {
    for (const path of ['/json/version', '/json/version/', '/json/list', '/json']) {
      const text = await (await fetch(url + path)).text();
      expect(text).toContain(`ws://127.0.0.1:${port}/devtools/`);
    }
    const { domains } = z
      .object({ domains: z.array(z.object({ domain: z.string() })) })
      .parse(await (await fetch(`${url}/json/protocol`)).json());
    expect(domains.map(({ domain }) => domain)).toEqual(expect.arrayContaining(['Page', 'Runtime']));
    expect((await fetch(`${url}/json/new?about:blank`, { method: 'PUT' })).status).toBe(404);
  });
});

test('a page reaches neither the description nor the protocol', async () => {
  await withGateway(async ({ url, port }) => {
    const origin = 'http://a.test';
    expect((await fetch(`${url}/json/version`, { headers: { origin } })).status).toBe(404);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/devtools/browser`, { origin });
    const [error] = await once(socket, 'error');
    expect(String(error)).toContain('403');
  });
});

test('a gateway that ends ends its clients, but not the browser', async () => {
  const browser = await sharedBrowser();
  await withGateway(async (gateway) => {
    const client = await chromium.connectOverCDP(gateway.url);
    const disconnected = new Promise((resolve) => client.once('disconnected', resolve));
    await gateway.close();
    await disconnected;
  });
  expect(browser.isFit()).toBe(true);
});

test('a key that a page ignores opens no window of the browser: the developer tools by F12', async () => {
  const browser = await sharedBrowser();
  const pressF12 = async (connecting: Promise<Browser>): Promise<void> => {
    const client = await connecting;
    const context = await client.newContext();
    const session = await context.newCDPSession(await context.newPage());
    const key = { key: 'F12', code: 'F12', windowsVirtualKeyCode: 123, nativeVirtualKeyCode: 123 };
    for (const type of ['rawKeyDown', 'keyUp'] as const) await session.send('Input.dispatchKeyEvent', { type, ...key });
    await client.close();
  };
  const { outside } = browser.observer;
  const before = outside.count();
  await withGateway(async (gateway) => {
    await pressF12(chromium.connectOverCDP(gateway.url));
    expect(gateway.log.violations()).toEqual({});
  });
  // The browser itself opens them, and the judge closes them.
  await pressF12(connectDirectly(browser));
  await expect.poll(() => outside.count()).toBe(before + 1);
});

test('a client finds no window of the browser, has no session of it, and cannot connect to it', async () => {
  const browser = await sharedBrowser();
  const { cdp } = browser.observer;
  await withGateway(async ({ url, port }) => {
    const client = await chromium.connectOverCDP(url);
    const session = await client.newBrowserCDPSession();
    const heard: string[] = [];
    const note = ({ targetInfo }: { targetInfo: { url: string } }): void => void heard.push(targetInfo.url);
    for (const event of ['Target.targetCreated', 'Target.targetInfoChanged', 'Target.attachedToTarget'] as const) {
      session.on(event, note);
    }
    const filter = [{}];
    await session.send('Target.setDiscoverTargets', { discover: true, filter });
    const held = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
    await session.send('Target.setAutoAttach', { ...held, filter: [{ type: 'tab', exclude: true }, {}] });
    const before = browser.observer.outside.count();
    const { targetId } = await cdp.send('Target.createTarget', { url: 'chrome://version/' });
    await expect.poll(() => browser.observer.outside.count()).toBe(before + 1);
    const turnedAway = new WebSocket(`ws://127.0.0.1:${port}/devtools/page/${targetId}`);
    await once(turnedAway, 'close');
    // The end of that page is not hidden: it holds up no more than an id.
    const isGone = async () =>
      (await cdp.send('Target.getTargets')).targetInfos.every((each) => each.targetId !== targetId);
    await expect.poll(isGone).toBe(true);
    const { targetInfos } = await session.send('Target.getTargets', { filter });
    expect([...heard, ...targetInfos.map((each) => each.url)].filter((each) => each.startsWith('chrome:'))).toEqual([]);
    expect(heard).toContain('about:blank');
    await client.close();
  });
});

test('no client makes the browser look for others on this machine, whose pages it would get', async () => {
  const server = createServer((_request, response) => response.end('[]')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = AddressInfo.parse(server.address());
  const asking = once(server, 'request');
  const look = async (connecting: Promise<Browser>): Promise<void> => {
    const client = await connecting;
    const session = await client.newBrowserCDPSession();
    await session.send('Target.setDiscoverTargets', { discover: true });
    await session.send('Target.setRemoteLocations', { locations: [{ host: '127.0.0.1', port }] });
    await asking;
    await client.close();
  };
  await withGateway(async (gateway) => {
    await expect(look(chromium.connectOverCDP(gateway.url))).rejects.toThrow('refused by Touchstone');
    expect(gateway.log.violations()).toEqual({ 'Target.setRemoteLocations': 1 });
  });
  // The browser itself obeys.
  await look(connectDirectly(await machineBrowser()));
  server.close();
});
