import { once } from 'node:events';
import http from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { WebSocket } from 'ws';
import { attachBrowser } from '../../src/browser/attach.ts';
import { portOf } from '../../src/process/listening-port.ts';
import { endpoint, raw, servers } from './scripted-endpoint.ts';

/** Disconnects on request, and ends with the test. */
async function website(answer: http.RequestListener): Promise<string> {
  const listening = http.createServer(answer);
  await once(listening.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  return `http://user:hunter2222@127.0.0.1:${portOf(listening)}/?token=sesame-4711`;
}

async function saying(words: string): Promise<string> {
  return await endpoint((socket) => {
    socket.send(words);
  });
}

/**
 * Sends what a browser sends, and what the test asks for.
 * @param toGuest answers a guest that is let in
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
])('an endpoint that answers %s is no browser, and ends no other', async (words) => {
  const odd = await saying(words);
  await expect(attachBrowser(odd)).rejects.toMatchObject({ code: expect.stringMatching(/^endpoint_/) });
});

test.each([
  ['{"method":"Target.attachedToTarget","params":{}}', 'could not be handled (Target.attachedToTarget): ZodError'],
  ['{"id":1,"error":null}', 'could not be handled (a reply): TypeError'],
  ['no JSON', 'is not valid JSON'],
])('an endpoint that answers %s is reported with the reason', async (words, reason) => {
  await expect(attachBrowser(await saying(words))).rejects.toThrow(reason);
});

test('our own error about a message of a browser is reported, with its origin and the browser', async () => {
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

test('an invalid WebSocket message is reported', async () => {
  const { browser } = await attached();
  for (const socket of raw) socket.write(Buffer.from('FFFF', 'hex'));
  await browser.ended;
  expect(browser.fault()).toContain('could not be handled: RangeError: Invalid WebSocket frame');
});

test('a browser that disconnects is reported without an error', async () => {
  const { browser } = await attached();
  for (const server of servers) for (const client of server.clients) client.terminate();
  await browser.ended;
  expect(browser.fault()).toBeNull();
});

test('a message that Playwright cannot read cuts the connection, and crashes nothing', async () => {
  const { browser } = await attached('{"method":"Target.targetCreated","params":no,"sessionId":"GUEST"}');
  await expect(browser.playwright()).rejects.toThrow('closed');
  await browser.ended;
  expect(browser.fault()).toContain('could not be handled (Target.targetCreated): SyntaxError');
});

test.each([
  ['is longer than 65536 bytes', pour],
  ['names no WebSocket', (reply: http.ServerResponse) => void reply.end('no JSON')],
])('an endpoint whose /json/version %s is no Chromium, and named without its secrets', async (why, answer) => {
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
