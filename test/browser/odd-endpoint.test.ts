import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { attachBrowser } from '../../src/browser/attach.ts';

const servers: WebSocketServer[] = [];
/** What the WebSockets of endpoints are made of. */
const raw: Socket[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  raw.length = 0;
});

interface Command {
  id: number;
  method: string;
  sessionId?: string;
}

/** An endpoint that does this about each command. */
async function endpoint(onCommand: (socket: WebSocket, command: Command) => void): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  servers.push(server);
  server.on('connection', (socket, request) => {
    raw.push(request.socket);
    socket.on('message', (data: Buffer) => {
      onCommand(socket, JSON.parse(data.toString('utf8')));
    });
  });
  await once(server, 'listening');
  const at = server.address();
  return `ws://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}/devtools/browser/of-nobody`;
}

/** An endpoint that answers each command, whatever it asks, with these words. */
async function saying(words: string): Promise<string> {
  return await endpoint((socket) => {
    socket.send(words);
  });
}

/**
 * Says what a browser says, and what it is told to.
 * @param toGuest answers whoever is let in
 */
async function attached(toGuest = '') {
  const sockets: WebSocket[] = [];
  const address = await endpoint((socket, { id, method, sessionId }) => {
    if (!sockets.includes(socket)) sockets.push(socket);
    const session = method === 'Target.attachToBrowserTarget' ? { sessionId: 'GUEST' } : {};
    const result = { product: 'Chrome/1.2.3', revision: '@1', ...session };
    socket.send(sessionId === undefined ? JSON.stringify({ id, result }) : toGuest);
  });
  const browser = await attachBrowser(address);
  onTestFinished(() => browser.close());
  const say = (words: string): void => {
    for (const socket of sockets) socket.send(words);
  };
  return { browser, say, shown: new URL(address).host };
}

test.each([
  '{"id":1,"error":null}',
  '{"method":"Target.attachedToTarget","params":null}',
  '{"method":"Target.attachedToTarget","params":{"sessionId":"1"}}',
  '{"method":"Target.detachedFromTarget","params":no}',
  'no JSON',
  '[',
  'null',
])('who answers %s is no browser, and ends nobody', async (words) => {
  const odd = await saying(words);
  await expect(attachBrowser(odd)).rejects.toMatchObject({ code: 'no_endpoint' });
});

test.each([
  ['{"method":"Target.attachedToTarget","params":{}}', 'could not be handled (Target.attachedToTarget): ZodError'],
  ['{"id":1,"error":null}', 'could not be handled (a reply): TypeError'],
  ['no JSON', 'is not valid JSON'],
])('who answers %s is told of with the reason', async (words, reason) => {
  await expect(attachBrowser(await saying(words))).rejects.toThrow(reason);
});

test('an error of ours about a message of a browser is told, with where it was thrown and of which browser', async () => {
  const { browser, say, shown } = await attached();
  browser.observer.cdp.on('Page.loadEventFired', () => {
    throw new RangeError('a fault of ours');
  });
  expect(browser.fault()).toBeNull();
  const asked = browser.observer.cdp.send('Browser.getVersion');
  await asked;
  say('{"method":"Page.loadEventFired","params":{"timestamp":1}}');
  await browser.ended;
  const told =
    /^what the browser at ws:\/\/127\.0\.0\.1:\d+ said could not be handled \(Page\.loadEventFired\): RangeError: a fault of ours \(odd-endpoint\.test\.ts:\d+\)$/;
  expect(browser.fault()).toMatch(told);
  expect(browser.fault()).toContain(shown);
  expect(await browser.condition()).toBe('cut_off');
  await expect(browser.observer.cdp.send('Browser.getVersion')).rejects.toThrow('a fault of ours');
  await expect(browser.switchboard.admit({ onMessage() {}, onEnd() {}, onRoom() {} })).rejects.toThrow(
    'a fault of ours',
  );
});

test('what is no message of a WebSocket is told of', async () => {
  const { browser } = await attached();
  for (const socket of raw) socket.write(Buffer.from('FFFF', 'hex'));
  await browser.ended;
  expect(browser.fault()).toContain('could not be handled (a frame): RangeError: Invalid WebSocket frame');
});

test('a browser that goes away is told of without a fault', async () => {
  const { browser } = await attached();
  for (const server of servers) for (const client of server.clients) client.terminate();
  await browser.ended;
  expect(browser.fault()).toBeNull();
});

test('what Playwright cannot read cuts the connection, and ends nobody', async () => {
  const { browser } = await attached('{"method":"Target.targetCreated","params":no,"sessionId":"GUEST"}');
  await expect(browser.playwright()).rejects.toThrow('closed');
  await browser.ended;
  expect(browser.fault()).toContain('could not be handled (Target.targetCreated): SyntaxError');
});
