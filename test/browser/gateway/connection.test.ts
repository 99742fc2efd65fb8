import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { startGateway } from '../../../src/browser/gateway/gateway.ts';

const MEGABYTE = 'x'.repeat(1024 * 1024);
const closing: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A gateway before a browser that does as the test says, and a client of it. */
async function setUp(options: { comes?: Promise<void> } = {}) {
  const server = http.createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const browserSide = new Promise<WebSocket>((resolve) => {
    server.on('upgrade', (request, socket, head) => {
      const upgrade = (): void => sockets.handleUpgrade(request, socket, head, resolve);
      if (options.comes === undefined) upgrade();
      else void options.comes.then(upgrade);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const gateway = await startGateway(`ws://127.0.0.1:${address.port}/devtools/browser/1`);
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  closing.push(() => gateway.close());
  const client = new WebSocket(`ws://127.0.0.1:${gateway.port}/devtools/browser/1`);
  await once(client, 'open');
  return { gateway, client, browserSide };
}

function commandOf(id: number): string {
  return JSON.stringify({ id, method: 'Runtime.evaluate', params: { expression: MEGABYTE } });
}

/** How much a socket could not send, once that does not change any more while the gateway answers others. */
async function unsent(socket: WebSocket, gatewayUrl: string): Promise<number> {
  for (let [same, last] = [0, socket.bufferedAmount]; ; last = socket.bufferedAmount) {
    await fetch(`${gatewayUrl}/nothing`);
    same = socket.bufferedAmount === last ? same + 1 : 0;
    if (same === 50) return last;
  }
}

test('commands that come before the browser has answered wait at the client, and arrive in order', async () => {
  const { promise: comes, resolve: come } = deferred();
  const { gateway, client, browserSide } = await setUp({ comes });
  for (let id = 1; id <= 64; id += 1) client.send(commandOf(id));
  expect(await unsent(client, gateway.url)).toBeGreaterThan(16 * 1024 * 1024);
  come();
  expect(await idsAt(await browserSide, 64)).toEqual(Array.from({ length: 64 }, (_, index) => index + 1));
});

test('commands to a browser that does not read wait at the client, until it reads', async () => {
  const { gateway, client, browserSide } = await setUp();
  const browser = await browserSide;
  browser.pause();
  for (let id = 1; id <= 96; id += 1) client.send(commandOf(id));
  expect(await unsent(client, gateway.url)).toBeGreaterThan(16 * 1024 * 1024);
  const arriving = idsAt(browser, 96);
  browser.resume();
  expect(await arriving).toHaveLength(96);
  expect(await unsent(client, gateway.url)).toBe(0);
});

test('what a client does not read waits at the browser, until it reads', async () => {
  const { gateway, client, browserSide } = await setUp();
  const browser = await browserSide;
  client.pause();
  for (let id = 1; id <= 96; id += 1) browser.send(commandOf(id));
  expect(await unsent(browser, gateway.url)).toBeGreaterThan(16 * 1024 * 1024);
  const arriving = idsAt(client, 96);
  client.resume();
  expect(await arriving).toHaveLength(96);
  expect(await unsent(browser, gateway.url)).toBe(0);
});

test('a client that is refused without end and does not listen is cut off', async () => {
  const { client, gateway } = await setUp();
  const closed = once(client, 'close');
  client.pause();
  const refused = JSON.stringify({ id: 1, method: 'Fetch.fulfillRequest', sessionId: MEGABYTE });
  for (let sent = 0; sent < 64; sent += 1) client.send(refused);
  await expect.poll(() => gateway.log.commands, { timeout: 30_000 }).toBeGreaterThan(16);
  await expect
    .poll(() => client.readyState === WebSocket.OPEN && client.send(refused), { timeout: 30_000 })
    .toBe(false);
  client.resume();
  await closed;
});

test('a message that is not text ends the connection, and never reaches the browser', async () => {
  const { client, browserSide } = await setUp();
  const browser = await browserSide;
  const heard: unknown[] = [];
  browser.on('message', (data) => heard.push(data));
  const ended = once(browser, 'close');
  client.send(Buffer.from(JSON.stringify({ id: 1, method: 'Browser.getVersion' })));
  const [code] = await once(client, 'close');
  expect(code).toBe(1003);
  await ended;
  expect(heard).toEqual([]);
});

test('a command that is longer than the browser itself would take ends the connection', async () => {
  const { client } = await setUp();
  client.send('x'.repeat(100 * 1024 * 1024 + 1));
  const [code] = await once(client, 'close');
  expect([1006, 1009]).toContain(code);
});

test.each(['no command', '{}', '{"id":"1","method":"Page.reload"}', '[]', '{"id":1,"method":1}'])(
  'what is no command is not passed on: %s',
  async (text) => {
    const { client, browserSide, gateway } = await setUp();
    client.send(text);
    client.send(JSON.stringify({ id: 2, method: 'Browser.getVersion' }));
    expect(await idsAt(await browserSide, 1)).toEqual([2]);
    expect(gateway.log.commands).toBe(1);
  },
);

test('a command that is nested deeper than anything can follow is passed on like others', async () => {
  const { client, browserSide, gateway } = await setUp();
  const depth = 200_000;
  const nested = `${'['.repeat(depth)}"deep"${']'.repeat(depth)}`;
  const params = `{"functionDeclaration":"(text) => eval(text)","arguments":[{"value":${nested}}]}`;
  client.send(`{"id":1,"method":"Runtime.callFunctionOn","params":${params}}`);
  client.send(`{"id":2,"method":"Input.dispatchDragEvent","params":{"data":{"items":${nested}}}}`);
  client.send(`{"id":3,"method":"Browser.setDownloadBehavior","params":{"downloadPath":${nested}}}`);
  expect(await idsAt(await browserSide, 3)).toEqual([1, 2, 3]);
  expect(gateway.log.commands).toBe(3);
});

test('a command that cannot be looked at is the end of its client, and of nobody else', async () => {
  const { client, browserSide, gateway } = await setUp();
  const browser = await browserSide;
  const ended = once(browser, 'close');
  const depth = 200_000;
  // What is passed on rewritten is written anew, and writing has its bounds.
  const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const params = `{"behavior":"allow","browserContextId":${nested}}`;
  client.send(`{"id":1,"method":"Browser.setDownloadBehavior","params":${params}}`);
  await once(client, 'close');
  await ended;
  const other = new WebSocket(`ws://127.0.0.1:${gateway.port}/devtools/browser/1`);
  closing.push(() => {
    other.terminate();
  });
  await once(other, 'open');
  expect(other.readyState).toBe(WebSocket.OPEN);
});

test('messages are passed on byte for byte', async () => {
  const { client, browserSide } = await setUp();
  const text = '{ "method":"Runtime.evaluate" , "id": 7,"params":{"expression":"\\u00e9 é 🙂"},"strange":[1.0] }';
  client.send(text);
  const browser = await browserSide;
  const [there] = await once(browser, 'message');
  expect(String(there)).toBe(text);
  browser.send(text);
  const [back, isBinary] = await once(client, 'message');
  expect([String(back), isBinary]).toEqual([text, false]);
});

test('who is turned away and does not hang up keeps no gateway from ending, nor does an address that is none', async () => {
  const { gateway } = await setUp();
  const upgrade = 'Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
  for (const path of ['//', '/elsewhere', '/devtools/browser/1']) {
    const socket = net.connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    socket.write(`GET ${path} HTTP/1.1\r\n${upgrade}Origin: http://a.test\r\n\r\n`);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toContain('403');
  }
  await gateway.close();
});

test('a browser that does not describe itself is said to be a bad gateway', async () => {
  const gateway = await startGateway('ws://127.0.0.1:9/devtools/browser/1');
  closing.push(() => gateway.close());
  expect((await fetch(`${gateway.url}/json/version`)).status).toBe(502);
});

/** The ids of so many commands, as they arrive. */
async function idsAt(socket: WebSocket, count: number): Promise<number[]> {
  const ids: number[] = [];
  await new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      ids.push(JSON.parse(data.toString('utf8')).id);
      if (ids.length === count) resolve();
    });
  });
  return ids;
}

function deferred() {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
