import net from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { deferred } from './deferred.ts';
import { answering, openWorld, refusals } from './open-world.ts';
import { ask, askHttp2, askRaw, connect, connectTls } from './through-proxy.ts';

describe('an origin of the world', () => {
  test('answers a plain request', async () => {
    await using world = await openWorld({ 'http://a.test': answering(() => new Response('plain')) });
    expect(await ask(world, 'http://a.test/')).toMatchObject({ status: 200, body: 'plain' });
  });

  test('answers over TLS with HTTP/2', async () => {
    await using world = await openWorld({ 'https://a.test': answering(() => new Response('secret')) });
    expect(await askHttp2(world, 'https://a.test/')).toMatchObject({ status: 200, body: 'secret' });
  });

  test('answers over TLS with HTTP/1.1 to a client without HTTP/2', async () => {
    await using world = await openWorld({ 'https://a.test': answering(() => new Response('old')) });
    const secure = await connectTls(world, 'a.test', 'http/1.1');
    secure.write('GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n');
    expect(await text(secure)).toMatch(/^HTTP\/1\.1 200 OK[^]*old/);
  });

  test('is given method, address, headers and body of the request', async () => {
    const echo = answering(async (request) =>
      Response.json([request.method, request.url, request.headers.get('x-one'), await request.text()]),
    );
    await using world = await openWorld({ 'http://a.test': echo });
    const reply = await ask(world, 'http://a.test/p?q=1', { method: 'PUT', headers: { 'x-one': '1' }, body: 'body' });
    expect(JSON.parse(reply.body)).toEqual(['PUT', 'http://a.test/p?q=1', '1', 'body']);
  });

  test('may redirect', async () => {
    const redirecting = answering(() => new Response(null, { status: 303, headers: { location: '/next' } }));
    await using world = await openWorld({ 'http://a.test': redirecting });
    expect(await ask(world, 'http://a.test/')).toMatchObject({ status: 303, headers: { location: '/next' } });
  });

  test('may set several cookies', async () => {
    const headers: [string, string][] = [
      ['set-cookie', 'a=1; Path=/'],
      ['set-cookie', 'b=2; Expires=Wed, 21 Oct 2035 07:28:00 GMT'],
    ];
    await using world = await openWorld({ 'http://a.test': answering(() => new Response('', { headers })) });
    const reply = await ask(world, 'http://a.test/');
    expect(reply.headers['set-cookie']).toEqual(['a=1; Path=/', 'b=2; Expires=Wed, 21 Oct 2035 07:28:00 GMT']);
  });

  test('answers HEAD without a body', async () => {
    const headers = { 'x-length': '4' };
    await using world = await openWorld({ 'http://a.test': answering(() => new Response('body', { headers })) });
    const reply = await ask(world, 'http://a.test/', { method: 'HEAD' });
    expect(reply).toMatchObject({ status: 200, body: '', headers: { 'x-length': '4' } });
  });

  test('may stream: the first bytes arrive before the last are sent', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    await using world = await openWorld({ 'http://a.test': answering(() => new Response(readable)) });
    const [reply] = await Promise.all([askRaw(world, 'http://a.test/'), writer.write(Buffer.from('first '))]);
    const [chunk] = await once(reply, 'data');
    expect(String(chunk)).toBe('first ');
    const ended = once(reply.resume(), 'end');
    await writer.close();
    await ended;
  });

  test('answers with 500 and the reason if it fails', async () => {
    const failing = answering(() => {
      throw new Error('the cupboard is bare');
    });
    await using world = await openWorld({ 'http://a.test': failing });
    const reply = await ask(world, 'http://a.test/');
    expect(reply).toMatchObject({ status: 500, body: 'the app failed: the cupboard is bare' });
  });

  test('answers with 500 if its response cannot be sent', async () => {
    await using world = await openWorld({ 'http://a.test': answering(() => Response.error()) });
    expect(await ask(world, 'http://a.test/')).toMatchObject({ status: 500 });
  });

  test('never sees a method that no request can have', async () => {
    await using world = await openWorld({ 'http://a.test': {} });
    expect(await ask(world, 'http://a.test/', { method: 'TRACE' })).toMatchObject({ status: 500 });
  });
});

describe('a request to outside the world', () => {
  test.each([
    ['an unknown host', 'http://b.test/'],
    ['an unknown port', 'http://a.test:8080/'],
    ['an address literal', 'http://127.0.0.1:9/'],
    ['an IPv6 literal', 'http://[::1]:9/'],
    ['the other scheme', 'http://secure.test/'],
  ])('%s is refused and counted', async (_, url) => {
    await using world = await openWorld({ 'http://a.test': {}, 'https://secure.test': {} });
    expect(await ask(world, url)).toMatchObject({ status: 502 });
    expect(refusals(world)).toEqual({ [url]: 1 });
  });

  test.each(['b.test:443', 'a.test:8443', '127.0.0.1:443', '[::1]:22', 'a.test:443'])(
    'a tunnel to %s is refused and counted',
    async (target) => {
      await using world = await openWorld({ 'http://a.test': {} });
      expect(await connect(world, target)).toMatchObject({ status: 502 });
      expect(refusals(world)).toEqual({ [target.replace(/:443$/, '')]: 1 });
    },
  );

  test('a request for an invalid address does no harm', async () => {
    await using world = await openWorld({ 'http://a.test': {} });
    expect(await connect(world, 'a<b:443')).toMatchObject({ status: 400 });
    expect(await ask(world, 'http://a.test/')).toMatchObject({ status: 200 });
  });

  test('a client that mistakes the proxy for a server, like a port scanner, is refused and not counted', async () => {
    await using world = await openWorld({ 'http://a.test': {} });
    expect(await (await fetch(new URL('/json/list', world.proxy.server))).text()).toBe(
      'this is a proxy, and no server',
    );
    expect(refusals(world)).toEqual({});
  });

  test('requests inside are not counted', async () => {
    await using world = await openWorld({ 'http://a.test': {} });
    await ask(world, 'http://a.test/');
    expect(refusals(world)).toEqual({});
  });
});

describe('a WebSocket', () => {
  const handshake = (host: string) =>
    `GET /chat HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`;

  test('to an origin of the world is refused and counted', async () => {
    await using world = await openWorld({ 'http://a.test': {} });
    const { status, socket } = await connect(world, 'a.test:80');
    expect(status).toBe(200);
    socket.write(handshake('a.test'));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 501 /);
    expect(refusals(world)).toEqual({ 'ws://a.test/chat': 1 });
  });

  test('is refused over TLS as well', async () => {
    await using world = await openWorld({ 'https://a.test': {} });
    const secure = await connectTls(world, 'a.test', 'http/1.1');
    secure.write(handshake('a.test'));
    expect(await text(secure)).toMatch(/^HTTP\/1\.1 501 /);
    expect(refusals(world)).toEqual({ 'wss://a.test/chat': 1 });
  });

  test('to a host outside is refused before it begins', async () => {
    await using world = await openWorld({ 'http://a.test': {} });
    expect(await connect(world, 'b.test:80')).toMatchObject({ status: 502 });
    expect(refusals(world)).toEqual({ 'ws://b.test': 1 });
  });
});

describe('the live web', () => {
  test('does not include the machine that the benchmark runs on', async () => {
    const canary = net.createServer().listen(0, '127.0.0.1');
    await once(canary, 'listening');
    const heard: string[] = [];
    canary.on('connection', () => heard.push('a connection'));
    const address = canary.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await using world = await openWorld({ 'http://a.test': {} }, { live: true });
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '169.254.169.254'].map((host) => `${host}:${port}`);
    for (const host of hosts) {
      expect(await ask(world, `http://${host}/`)).toMatchObject({ status: 502 });
    }
    expect(heard).toEqual([]);
    expect(refusals(world)).toEqual(Object.fromEntries(hosts.map((host) => [`http://${host}/`, 1])));
    canary.close();
  });
});

describe('closing a world', () => {
  test('ends its connections and accepts no more', async () => {
    const world = await openWorld({ 'https://a.test': {} });
    const secure = await connectTls(world, 'a.test', 'http/1.1');
    const ended = once(secure.resume(), 'close');
    await world.close();
    await ended;
    await expect(connect(world, 'a.test:443')).rejects.toThrow(/ECONNREFUSED/);
  });

  test('does not wait for an app that is still answering', async () => {
    const asked = deferred<void>();
    const answer = deferred<Response>();
    const slow = answering(() => {
      asked.resolve();
      return answer.promise;
    });
    const world = await openWorld({ 'http://a.test': slow });
    const reply = ask(world, 'http://a.test/');
    await asked.promise;
    await world.close();
    await expect(reply).rejects.toThrow(/hang up|ECONNRESET/);
    answer.resolve(new Response('too late'));
  });
});
