import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { parseConnectTo, LiveWeb, startLiveWorld } from '../../../src/world/live/live-web.ts';
import { createTlsIdentity } from '../../../src/world/tls-identity.ts';
import type { WorldHere } from '../../../src/world/world-proxy.ts';
import { ask, askHttp2, askRaw, connect } from '../through-proxy.ts';
import { certificateFor, webServer } from './web-server.ts';
import { refusals } from '../open-world.ts';

async function liveWorld(...connectTo: string[]): Promise<WorldHere> {
  const web = new LiveWeb(connectTo.map(parseConnectTo));
  const world = await startLiveWorld({ identity: await createTlsIdentity(), web });
  onTestFinished(async () => {
    await world.close();
    web.close();
  });
  return world;
}

describe('a site of the live web', () => {
  test('is asked by its real name, with method, headers, cookies and body unchanged', async () => {
    await using site = await webServer((request, reply) => {
      const { cookie, 'x-one': one } = request.headers;
      void text(request).then((body) => reply.end(JSON.stringify({ cookie, one, body })));
    });
    const world = await liveWorld(`www.example.com:80:127.0.0.1:${site.port}`);
    const sent = { method: 'PUT', headers: { cookie: 'a=1; b=2', 'x-one': '1' }, body: 'body' };
    const reply = await ask(world, 'http://www.example.com/path?q=1', sent);
    expect(JSON.parse(reply.body)).toEqual({ cookie: 'a=1; b=2', one: '1', body: 'body' });
    expect(site.asked).toEqual(['PUT www.example.com/path?q=1']);
  });

  test('answers unchanged: redirects, cookies and encodings stay', async () => {
    const packed = gzipSync('hello');
    await using site = await webServer((_request, reply) => {
      const headers = { location: '/next', 'content-encoding': 'gzip', 'content-length': packed.length };
      reply.writeHead(302, { ...headers, 'set-cookie': ['a=1', 'b=2'] }).end(packed);
    });
    const world = await liveWorld(`www.example.com:80:127.0.0.1:${site.port}`);
    const reply = await ask(world, 'http://www.example.com/');
    expect(reply).toMatchObject({ status: 302, headers: { location: '/next', 'set-cookie': ['a=1', 'b=2'] } });
    expect(reply.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(packed.length) });
    expect(site.asked).toHaveLength(1);
  });

  test('may stream: the first bytes arrive before the last are sent', async () => {
    let last = (): void => {};
    await using site = await webServer((_request, reply) => {
      reply.write('first ');
      last = () => reply.end('last');
    });
    const world = await liveWorld(`www.example.com:80:127.0.0.1:${site.port}`);
    const reply = await askRaw(world, 'http://www.example.com/');
    const [chunk] = await once(reply, 'data');
    expect(String(chunk)).toBe('first ');
    last();
    expect(await text(reply)).toBe('last');
  });

  test('is in the log', async () => {
    await using site = await webServer((_request, reply) => reply.writeHead(204).end());
    const world = await liveWorld(`www.example.com:80:127.0.0.1:${site.port}`);
    await ask(world, 'http://www.example.com/', { method: 'POST', body: 'q=1' });
    expect(world.network()).toMatchObject({
      captured: true,
      value: { entries: [{ method: 'POST', url: 'http://www.example.com/', status: 204, request_body: 'q=1' }] },
    });
  });

  test('gets no request with an unsigned certificate, and the reply is 502', async () => {
    const names = ['docs.example.com'];
    await using site = await webServer((_request, reply) => reply.end('secret'), await certificateFor(names));
    const world = await liveWorld(`docs.example.com:443:127.0.0.1:${site.port}`);
    const reply = await askHttp2(world, 'https://docs.example.com/');
    expect(reply).toMatchObject({ status: 502 });
    expect(reply.body).toMatch(/^the web did not answer: GET https:\/\/docs\.example\.com\/ \(.*self-signed/);
    expect(site.asked).toEqual([]);
  });

  test('gets a 502 if it is not there', async () => {
    const world = await liveWorld('www.example.com:80:127.0.0.1:1');
    const reply = await ask(world, 'http://www.example.com/');
    expect(reply).toMatchObject({ status: 502, body: expect.stringContaining('ECONNREFUSED') });
  });

  test('may have WebSockets', async () => {
    const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    onTestFinished(() => sockets.close());
    sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data)));
    await once(sockets, 'listening');
    const address = sockets.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const world = await liveWorld(`chat.example.com:80:127.0.0.1:${address.port}`);
    const { socket } = await connect(world, 'chat.example.com:80');
    const client = new WebSocket('ws://chat.example.com/', { createConnection: () => socket });
    await once(client, 'open');
    client.send('hello');
    const [said] = await once(client, 'message');
    expect(String(said)).toBe('hello');
    client.terminate();
    expect(world.network()).toMatchObject({ value: { entries: [{ url: 'ws://chat.example.com/', status: 101 }] } });
  });
});

describe('the live web', () => {
  test('has no WebSocket on this machine', async () => {
    const world = await liveWorld();
    const { socket } = await connect(world, '127.0.0.1:80');
    socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 501 /);
    expect(refusals(world)).toEqual({ 'ws://127.0.0.1/': 1 });
  });
});

test.each(['docs.example.com:443', 'a:b:c:d', 'a.test:99999:127.0.0.1:80', ':443:127.0.0.1:80'])(
  '"%s" is no address to connect to',
  (given) => {
    const expected = { code: 'connection_not_understood', params: { text: given } };
    expect(() => parseConnectTo(given)).toThrow(expect.objectContaining(expected));
  },
);

test('an address to connect to may be IPv6', () => {
  expect(parseConnectTo('a.test:443:[::1]:8443')).toEqual({ target: 'a.test:443', host: '::1', port: 8443 });
});
