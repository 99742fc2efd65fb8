import { once } from 'node:events';
import net from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startGateway } from '../../../src/browser/gateway/gateway.ts';
import { FakeBrowser } from '../fake-browser.ts';

const MB = 1024 * 1024;
const MEGABYTE = 'x'.repeat(MB);
const closing: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function setUp({ reads = true } = {}) {
  const browser = new FakeBrowser();
  const gateway = await startGateway(await browser.observed());
  closing.push(() => gateway.close());
  browser.reads = reads;
  return { gateway, browser, client: await connect(gateway.port) };
}

async function connect(port: number): Promise<WebSocket> {
  const client = new WebSocket(`ws://127.0.0.1:${port}/devtools/browser`);
  await once(client, 'open');
  return client;
}

function commandOf(id: number): string {
  return JSON.stringify({ id, method: 'Runtime.evaluate', params: { expression: MEGABYTE } });
}

async function unsent(socket: WebSocket, gatewayUrl: string): Promise<number> {
  for (let [same, last] = [0, socket.bufferedAmount]; ; last = socket.bufferedAmount) {
    await fetch(`${gatewayUrl}/nothing`);
    same = socket.bufferedAmount === last ? same + 1 : 0;
    if (same === 50) return last;
  }
}

test('commands that come before the browser has let the client in wait at the client, and arrive in order', async () => {
  const { gateway, client, browser } = await setUp({ reads: false });
  for (let id = 1; id <= 40; id += 1) client.send(commandOf(id));
  expect(await unsent(client, gateway.url)).toBeGreaterThan(16 * MB);
  browser.readOn();
  const ids = (await browser.received(40)).map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
});

test('commands to a browser that does not read wait at the client, until it reads', async () => {
  const { gateway, client, browser } = await setUp();
  client.send('{"id":1,"method":"Browser.getVersion"}');
  await browser.received(1);
  browser.reads = false;
  for (let id = 2; id <= 40; id += 1) client.send(commandOf(id));
  expect(await unsent(client, gateway.url)).toBeGreaterThan(16 * MB);
  browser.readOn();
  expect(await browser.received(40)).toHaveLength(40);
  expect(await unsent(client, gateway.url)).toBe(0);
});

test('a client that does not read what the browser sends is cut off, and delays no other', async () => {
  const { gateway, client, browser } = await setUp();
  const other = await connect(gateway.port);
  client.send('{"id":1,"method":"Browser.getVersion"}');
  const [{ sessionId } = { sessionId: '' }] = await browser.received(1);
  client.pause();
  for (let said = 0; said < 320; said += 1) browser.say({ method: 'Runtime.x', params: { MEGABYTE }, sessionId });
  const closed = once(client, 'close');
  client.resume();
  await closed;
  other.send('{"id":1,"method":"Browser.getVersion"}');
  await browser.received(2);
  expect(other.readyState).toBe(WebSocket.OPEN);
});

test('a message that is not text ends the connection, and never reaches the browser', async () => {
  const { client, browser } = await setUp();
  client.send(Buffer.from(JSON.stringify({ id: 1, method: 'Browser.getVersion' })));
  const [code] = await once(client, 'close');
  expect(code).toBe(1003);
  expect(browser.heard).toEqual([]);
});

test.each([
  ['a script', 'Runtime.evaluate', 8 * MB],
  ['any other', 'Page.navigate', MB],
])('a command longer than %s may be ends the connection, and never reaches the browser', async (_, method, limit) => {
  const { client, browser } = await setUp();
  client.send(JSON.stringify({ id: 1, method, params: { expression: 'x'.repeat(limit) } }));
  const [code] = await once(client, 'close');
  expect([1006, 1009]).toContain(code);
  expect(browser.heard).toEqual([]);
});

test('an endless command is kept no longer than the longest may be', async () => {
  const { client } = await setUp();
  client.on('error', () => {});
  const closed = once(client, 'close');
  for (let sent = 0; sent < 20; sent += 1) client.send(MEGABYTE, { fin: false });
  const [code] = await closed;
  expect([1006, 1009]).toContain(code);
});

test('a long script reaches the browser unchanged', async () => {
  const { client, browser } = await setUp();
  const expression = `${'é'.repeat(2 * MB)}"`;
  client.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }));
  const [heard] = await browser.received(1);
  expect(heard?.params).toEqual({ expression });
});

test('a long command that is refused is answered to its session', async () => {
  const { client, gateway } = await setUp();
  const params = { body: MEGABYTE + MEGABYTE };
  client.send(JSON.stringify({ id: 5, method: 'Fetch.fulfillRequest', params, sessionId: 'S' }));
  const [reply] = await once(client, 'message');
  expect(JSON.parse(String(reply))).toMatchObject({ id: 5, sessionId: 'S', error: { code: -32_000 } });
  expect(gateway.log.violations()).toEqual({ 'Fetch.fulfillRequest': 1 });
});

test('a command that grows beyond the limit when written ends the connection', async () => {
  const { client, browser } = await setUp();
  // Four times as long when it is written out.
  client.send(`{"id":1,"method":"Runtime.evaluate","params":{"expression":[${'1e20,'.repeat(MB)}1]}}`);
  await once(client, 'close');
  expect(browser.heard).toEqual([]);
});

test.each(['no command', '{}', '{"id":"1","method":"Page.reload"}', '[]', '{"id":1,"method":1}'])(
  'an invalid command is not passed on: %s',
  async (text) => {
    const { client, browser, gateway } = await setUp();
    client.send(text);
    client.send(JSON.stringify({ id: 2, method: 'Browser.getVersion' }));
    expect(await browser.received(1)).toMatchObject([{ method: 'Browser.getVersion' }]);
    expect(gateway.log.commands).toBe(1);
  },
);

test('a command with a repeated field is passed on as it was checked', async () => {
  const { client, browser } = await setUp();
  client.send('{"id":1,"method":"Fetch.fulfillRequest","method":"Browser.getVersion","strange":1}');
  const [heard] = await browser.received(1);
  expect(heard).toEqual({ id: expect.any(Number), method: 'Browser.getVersion', params: {}, sessionId: 'GUEST1' });
});

test('a command that cannot be written again ends its client, and no other', async () => {
  const { client, browser, gateway } = await setUp();
  const other = await connect(gateway.port);
  const depth = 200_000;
  client.send(
    `{"id":1,"method":"Runtime.callFunctionOn","params":{"arguments":${'['.repeat(depth)}${']'.repeat(depth)}}}`,
  );
  await once(client, 'close');
  other.send('{"id":1,"method":"Browser.getVersion"}');
  await browser.received(1);
  expect(other.readyState).toBe(WebSocket.OPEN);
});

test('messages of the browser are passed on byte for byte', async () => {
  const { client, browser } = await setUp();
  client.send('{"id":7,"method":"Browser.getVersion"}');
  const [{ id, sessionId } = { id: 0, sessionId: '' }] = await browser.received(1);
  browser.say({ id, result: { text: 'é 🙂 ,"sessionId":"JUDGE"}' }, sessionId });
  const [back, isBinary] = await once(client, 'message');
  expect([String(back), isBinary]).toEqual([
    JSON.stringify({ id: 7, result: { text: 'é 🙂 ,"sessionId":"JUDGE"}' } }),
    false,
  ]);
});

test('a rejected client that does not hang up keeps no gateway from ending, nor does an invalid address', async () => {
  const { gateway } = await setUp();
  const upgrade = 'Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
  for (const path of ['//', '/elsewhere', '/devtools/browser']) {
    const socket = net.connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    socket.write(`GET ${path} HTTP/1.1\r\n${upgrade}Origin: http://a.test\r\n\r\n`);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toContain('403');
  }
  await gateway.close();
});

test('a browser that does not describe itself is reported as a bad gateway', async () => {
  const { gateway, browser } = await setUp();
  const asking = fetch(`${gateway.url}/json/version`);
  const [{ id } = { id: 0 }] = await browser.received(1);
  browser.say({ id, error: { code: 1, message: 'no' } });
  expect((await asking).status).toBe(502);
});

test('a request for the window of anything but a page is answered here, and all others by the browser', async () => {
  const { gateway, client, browser } = await setUp();
  const answer = once(client, 'message');
  const ask = (id: number, params: object): void => {
    client.send(JSON.stringify({ id, method: 'Browser.getWindowForTarget', params }));
  };
  ask(1, { targetId: 'NONE' });
  const [reply] = await answer;
  expect(JSON.parse(String(reply))).toEqual({
    id: 1,
    error: { code: -32_602, message: 'No target with given id' },
  });
  const targetInfo = { targetId: 'PAGE', type: 'page', url: 'about:blank', browserContextId: 'C' };
  browser.say({ method: 'Target.attachedToTarget', params: { sessionId: 'S', targetInfo, waitingForDebugger: false } });
  ask(2, { targetId: 'PAGE' });
  ask(3, {});
  const asked = () => browser.heard.filter(({ method }) => method === 'Browser.getWindowForTarget');
  await expect.poll(asked).toMatchObject([{ params: { targetId: 'PAGE' } }, { params: {} }]);
  expect(gateway.log.refused()).toEqual({ 'Browser.getWindowForTarget': 1 });
});
