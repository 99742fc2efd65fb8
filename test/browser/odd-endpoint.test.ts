import { once } from 'node:events';
import http from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { attachBrowser } from '../../src/browser/attach.ts';
import { portOf } from '../../src/process/listening-port.ts';

const servers: WebSocketServer[] = [];
const raw: Socket[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  raw.length = 0;
});

/** Hangs up whoever it is told of, and ends with the test. */
async function website(answer: http.RequestListener): Promise<string> {
  const listening = http.createServer(answer);
  await once(listening.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  return `http://user:hunter2222@127.0.0.1:${portOf(listening)}/?token=sesame-4711`;
}

interface Command {
  id: number;
  method: string;
  sessionId?: string;
}

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
  const port = typeof at === 'object' && at !== null ? at.port : 0;
  return `ws://user:hunter2222@127.0.0.1:${port}/devtools/browser/of-nobody`;
}

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
  return { browser, say, shown: `ws://${new URL(address).host}` };
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
  await expect(attachBrowser(odd)).rejects.toMatchObject({ code: expect.stringMatching(/^endpoint_/) });
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
    /^a message from the browser at ws:\/\/127\.0\.0\.1:\d+ could not be handled \(Page\.loadEventFired\): RangeError: a fault of ours \(odd-endpoint\.test\.ts:\d+\)$/;
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
  expect(browser.fault()).toContain('could not be handled: RangeError: Invalid WebSocket frame');
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

/** Far more than any browser has; an endpoint that is not cut off stops there, since this process is to live. */
const FLOOD = 200_000;

test('an endpoint that opens a target at each command is cut off, and named without what opens it', async () => {
  let opened = 0;
  const address = await endpoint((socket, { id, sessionId }) => {
    socket.send(JSON.stringify({ id, result: { product: 'Chrome/1.2.3', revision: '@1' }, sessionId }));
    if (opened === FLOOD) return;
    opened += 1;
    const targetInfo = { targetId: `T${opened}`, type: 'page', url: 'about:blank', browserContextId: 'C' };
    const params = { sessionId: `S${opened}`, targetInfo, waitingForDebugger: false };
    socket.send(JSON.stringify({ method: 'Target.attachedToTarget', params }));
  });
  const browser = await attachBrowser(address);
  onTestFinished(() => browser.close());
  await Promise.race([browser.ended, flooded(() => opened)]);
  expect(browser.fault()).toMatch(
    /^a message from the browser at ws:\/\/127\.0\.0\.1:\d+ could not be handled \(Target\.attachedToTarget\): more than 10000 pages, frames and workers are open$/,
  );
  expect(opened).toBeLessThan(FLOOD);
});

test('an endpoint that answers nothing more, and has ever more asked of it, is cut off', async () => {
  let told = 0;
  const address = await endpoint((socket, { id, sessionId }) => {
    if (sessionId === undefined) {
      socket.send(JSON.stringify({ id, result: { product: 'Chrome/1.2.3', revision: '@1' }, sessionId }));
    }
    for (let each = 0; each < 3 && told < FLOOD; each += 1) {
      told += 1;
      const targetInfo = { targetId: 'T', type: 'page', url: 'about:blank', browserContextId: 'C' };
      const params = { sessionId: 'S', targetInfo, waitingForDebugger: false };
      socket.send(JSON.stringify({ method: 'Target.attachedToTarget', params }));
      socket.send(JSON.stringify({ method: 'Target.detachedFromTarget', params: { sessionId: 'S' } }));
    }
  });
  const browser = await attachBrowser(address);
  onTestFinished(() => browser.close());
  // On a slow machine, the first commands would no longer be waited for when the last are sent.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  await Promise.race([browser.ended, flooded(() => told)]);
  expect(browser.fault()).toContain('more than 50000 commands wait for its replies');
  expect(told).toBeLessThan(FLOOD);
});

/** Resolves when so much was said that nobody can have been cut off for it. */
async function flooded(said: () => number): Promise<void> {
  while (said() < FLOOD) await setImmediate();
}

test.each([
  ['is longer than 65536 bytes', pour],
  ['names no WebSocket', (reply: http.ServerResponse) => void reply.end('no JSON')],
])('an endpoint whose /json/version %s is no Chromium, and named without what opens it', async (why, answer) => {
  const asking = attachBrowser(
    await website((_request, reply) => {
      answer(reply);
    }),
  );
  await expect(asking).rejects.toMatchObject({
    code: 'endpoint_not_chromium',
    params: { why: expect.stringContaining(why) },
  });
  await expect(asking).rejects.not.toThrow(/hunter2222|sesame-4711/);
});

function pour(reply: http.ServerResponse): void {
  const piece = ' '.repeat(16 * 1024);
  const on = (): void => {
    while (!reply.destroyed && reply.write(piece));
  };
  reply.on('drain', on);
  on();
}

test('an endpoint whose /json/version does not end in time is no browser', async () => {
  const address = await website((_request, reply) => void reply.write('{'));
  await expect(attachBrowser(address, 200)).rejects.toMatchObject({
    code: 'endpoint_unreachable',
    params: { why: expect.stringContaining('timeout') },
  });
});
