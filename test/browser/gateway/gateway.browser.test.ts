import { once } from 'node:events';
import { createServer } from 'node:http';
import { type Browser, chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { type Gateway, startGateway } from '../../../src/browser/gateway/gateway.ts';
import { sharedBrowser } from '../../shared-browser.ts';
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

test('what the gateway says of the browser leads to the gateway and not to the browser', async () => {
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

test('the end of a gateway is the end of its clients, and not of the browser', async () => {
  const browser = await sharedBrowser();
  await withGateway(async (gateway) => {
    const client = await chromium.connectOverCDP(gateway.url);
    const disconnected = new Promise((resolve) => client.once('disconnected', resolve));
    await gateway.close();
    await disconnected;
  });
  expect(browser.isFit()).toBe(true);
});

test('no client has the browser look for others on this machine, whose pages it would be given', async () => {
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
  // The browser itself does as it is told.
  await look(connectDirectly(await sharedBrowser()));
  server.close();
});
