import { expect, test } from 'vitest';
import type { NetworkEntry } from '../../src/contract/evidence.ts';
import { ExchangeLog, MAX_REQUESTS, withCutBody } from '../../src/world/exchange-log.ts';
import type { WorldHere } from '../../src/world/world-proxy.ts';
import { deferred } from './deferred.ts';
import { answering, openWorld } from './open-world.ts';
import { ask, askHttp2 } from './through-proxy.ts';

function entriesOf(world: WorldHere): NetworkEntry[] {
  const network = world.network();
  return network.captured ? network.value.entries.map(withCutBody) : [];
}

test('the log has method, address, status and body of each exchange in order', async () => {
  const app = answering(({ method }) => new Response(null, { status: method === 'POST' ? 201 : 204 }));
  await using world = await openWorld({ 'http://a.test': app, 'https://b.test': {} });
  await ask(world, 'http://a.test/one?x=1');
  await ask(world, 'http://a.test/two', { method: 'POST', body: 'name=Ada' });
  await askHttp2(world, 'https://b.test/three');
  const none = { request_body: null, request_body_truncated: false };
  expect(entriesOf(world)).toEqual([
    { seq: 0, method: 'GET', url: 'http://a.test/one?x=1', status: 204, ...none },
    { seq: 1, method: 'POST', url: 'http://a.test/two', status: 201, ...none, request_body: 'name=Ada' },
    { seq: 2, method: 'GET', url: 'https://b.test/three', status: 200, ...none },
  ]);
});

test('the log has the number of the next exchange', async () => {
  await using world = await openWorld({ 'http://a.test': {} });
  expect(world.network()).toMatchObject({ value: { next: 0 } });
  await ask(world, 'http://a.test/');
  expect(world.network()).toMatchObject({ value: { next: 1 } });
});

test('requests to outside the world are not in the log', async () => {
  await using world = await openWorld({ 'http://a.test': {} });
  await ask(world, 'http://b.test/');
  expect(entriesOf(world)).toEqual([]);
});

test('a body of 64 KB is in the log whole', async () => {
  await using world = await openWorld({ 'http://a.test': {} });
  await ask(world, 'http://a.test/', { method: 'POST', body: 'x'.repeat(65_536) });
  expect(entriesOf(world)).toMatchObject([{ request_body: 'x'.repeat(65_536), request_body_truncated: false }]);
});

test('a longer body is cut in the log, and marked so, but reaches the app whole', async () => {
  const app = answering(async (request) => new Response(String((await request.text()).length)));
  await using world = await openWorld({ 'http://a.test': app });
  const reply = await ask(world, 'http://a.test/', { method: 'POST', body: 'x'.repeat(65_537) });
  expect(reply.body).toBe('65537');
  expect(entriesOf(world)).toMatchObject([{ request_body: 'x'.repeat(65_536), request_body_truncated: true }]);
});

test('enough is kept beyond the cut to redact a secret across it whole', async () => {
  await using world = await openWorld({ 'http://a.test': {} });
  await ask(world, 'http://a.test/', { method: 'POST', body: `${'x'.repeat(65_530)}secret-1234${'y'.repeat(90_000)}` });
  const network = world.network();
  const [entry] = network.captured ? network.value.entries : [];
  expect(entry?.request_body).toContain('secret-1234');
  expect(entry?.request_body).toHaveLength(80 * 1024);
});

test('a body of more than 10 MB is refused, and the log has its beginning', async () => {
  let asked = 0;
  const app = answering(() => {
    asked += 1;
    return new Response();
  });
  await using world = await openWorld({ 'http://a.test': app });
  const body = Buffer.alloc(10 * 1024 * 1024 + 1, 'x');
  expect(await ask(world, 'http://a.test/', { method: 'POST', body })).toMatchObject({ status: 413 });
  expect(asked).toBe(0);
  expect(entriesOf(world)).toMatchObject([
    { status: 413, request_body: 'x'.repeat(65_536), request_body_truncated: true },
  ]);
});

test('a body of just 10 MB is taken', async () => {
  await using world = await openWorld({ 'http://a.test': {} });
  const body = Buffer.alloc(10 * 1024 * 1024, 'x');
  expect(await ask(world, 'http://a.test/', { method: 'POST', body })).toMatchObject({ status: 200 });
});

test('the first bodies of a flood are kept, and the others count as cut', () => {
  const log = new ExchangeLog();
  for (let sent = 0; sent < 300; sent += 1) log.begin('POST', 'http://a.test/', Buffer.alloc(80 * 1024, 'x'));
  const captured = log.captured();
  const entries = captured.captured ? captured.value.entries : [];
  expect(entries[0]?.request_body).toHaveLength(80 * 1024);
  expect(entries.at(-1)).toMatchObject({ seq: 299, request_body: '', request_body_truncated: true });
});

/** Room for bodies of the same kind in a log, less these bytes. */
const allBut = (bytes: number): number[] => {
  const total = 16 * 1024 * 1024 - bytes;
  return [...Array<number>(Math.floor(total / 65_536)).fill(65_536), total % 65_536];
};

test('a body that has no room is not kept in part, since half a secret would not be redacted', () => {
  const log = new ExchangeLog();
  for (const bytes of [...allBut(6), 7, 6]) log.begin('POST', 'http://a.test/', Buffer.alloc(bytes, 'x'));
  const captured = log.captured();
  expect(captured.captured ? captured.value.entries.slice(-2) : []).toMatchObject([
    { request_body: '', request_body_truncated: true },
    { request_body: 'xxxxxx', request_body_truncated: false },
  ]);
});

test('a log of more requests than can be kept is no evidence', () => {
  const log = new ExchangeLog();
  for (let sent = 0; sent < MAX_REQUESTS; sent += 1) log.begin('GET', 'http://a.test/', Buffer.alloc(0));
  expect(log.captured()).toMatchObject({ captured: true, value: { next: MAX_REQUESTS } });
  log.begin('GET', 'http://a.test/', Buffer.alloc(0));
  expect(log.captured()).toMatchObject({ captured: false, why: expect.stringContaining('too many to keep') });
});

test('an app that fails is in the log with the 500 that the browser got', async () => {
  const app = answering(() => Promise.reject(new Error('no')));
  await using world = await openWorld({ 'http://a.test': app });
  await ask(world, 'http://a.test/');
  expect(entriesOf(world)).toMatchObject([{ status: 500 }]);
});

test('an unanswered exchange has no status', async () => {
  const asked = deferred<void>();
  const answer = deferred<Response>();
  const app = answering(() => {
    asked.resolve();
    return answer.promise;
  });
  await using world = await openWorld({ 'http://a.test': app });
  const reply = ask(world, 'http://a.test/');
  await asked.promise;
  expect(entriesOf(world)).toMatchObject([{ status: null }]);
  answer.resolve(new Response('late'));
  await reply;
  expect(entriesOf(world)).toMatchObject([{ status: 200 }]);
});

test('a stream that breaks off midway breaks off for the browser too', async () => {
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(Buffer.from('half'));
    },
    pull: (controller) => {
      controller.error(new Error('broken'));
    },
  });
  await using world = await openWorld({ 'http://a.test': answering(() => new Response(broken)) });
  await expect(ask(world, 'http://a.test/')).rejects.toThrow(/aborted|hang up/);
  expect(entriesOf(world)).toMatchObject([{ status: 200 }]);
});

test('a log of very long addresses is missing, not kept in part', () => {
  const log = new ExchangeLog();
  const url = `http://a.test/${'x'.repeat(60_000)}`;
  for (let asked = 0; asked < 200; asked += 1) log.begin('GET', url, new Uint8Array());
  expect(log.captured()).toMatchObject({ captured: true, value: { next: 200 } });
  for (let asked = 0; asked < 100; asked += 1) log.begin('GET', url, new Uint8Array());
  expect(log.captured()).toMatchObject({ captured: false, why: expect.stringContaining('addresses') });
  expect(log.next).toBe(300);
});

const SIGNED = (request: Request): Response =>
  new Response(`{"saw":"${request.headers.get('cookie')}"}`, {
    headers: { 'content-type': 'application/json', 'set-cookie': 'session=abc', 'x-notes': '3' },
  });

test('a whole exchange has headers and the body of the response, but no value of a credential', async () => {
  await using world = await openWorld({ 'http://a.test': answering(SIGNED) }, { whole: true });
  const headers = {
    cookie: 'session=abc',
    authorization: 'Bearer abc',
    'x-csrf-token': 'abc',
    'mcp-session-id': 'abc',
    referer: 'http://a.test/notes',
  };
  const reply = await ask(world, 'http://a.test/', { headers });
  expect(reply.body).toBe('{"saw":"session=abc"}');
  const [{ kept } = {}] = entriesOf(world);
  expect(kept?.request_headers).toEqual(
    expect.arrayContaining([
      { name: 'cookie', value: null },
      { name: 'authorization', value: null },
      { name: 'x-csrf-token', value: null },
      { name: 'mcp-session-id', value: null },
      { name: 'referer', value: 'http://a.test/notes' },
    ]),
  );
  expect(kept?.response).toMatchObject({ body: '{"saw":"session=abc"}', truncated: false });
  expect(kept?.response?.headers).toEqual(
    expect.arrayContaining([
      { name: 'set-cookie', value: null },
      { name: 'x-notes', value: '3' },
    ]),
  );
});

test('responses of whole exchanges take no room from request bodies, and none is kept in part', async () => {
  const log = new ExchangeLog(() => {}, true);
  const answer = async (body: string): Promise<void> => {
    const { seq } = log.begin('POST', 'http://a.test/', Buffer.from('sum=3'));
    await log.keep(seq, new Response(body, { headers: { 'content-type': 'text/plain' } })).text();
  };
  for (let answered = 0; answered < 300; answered += 1) await answer('x'.repeat(65_536));
  const captured = log.captured();
  const entries = captured.captured ? captured.value.entries : [];
  expect(entries.every(({ request_body: body }) => body === 'sum=3')).toBe(true);
  const bodies = entries.map(({ kept }) => kept?.response?.body ?? '').map(({ length }) => length);
  expect([...new Set(bodies)]).toEqual([65_536, 0]);
});

test('an app may stream text', async () => {
  const stream = new ReadableStream({
    start: (controller) => {
      controller.enqueue('half');
      controller.close();
    },
  });
  const app = answering(() => new Response(stream, { headers: { 'content-type': 'Text/Plain' } }));
  await using world = await openWorld({ 'http://a.test': app }, { whole: true });
  expect((await ask(world, 'http://a.test/')).body).toBe('half');
  expect(entriesOf(world)[0]?.kept?.response).toMatchObject({ body: 'half', truncated: false });
});

test.each([
  ['longer than 64 KB is cut', { 'content-type': 'text/plain' }, 'x'.repeat(65_536)],
  ['that is not text is not kept', { 'content-type': 'image/png' }, null],
  ['that is compressed is not kept', { 'content-type': 'text/plain', 'content-encoding': 'x-own' }, null],
])('the body of a response %s, is marked so, and reaches the browser whole', async (_, headers, body) => {
  const app = answering(() => new Response('x'.repeat(65_537), { headers }));
  await using world = await openWorld({ 'http://a.test': app }, { whole: true });
  expect((await ask(world, 'http://a.test/')).body).toHaveLength(65_537);
  expect(entriesOf(world)[0]?.kept?.response).toMatchObject({ body, truncated: true });
});
