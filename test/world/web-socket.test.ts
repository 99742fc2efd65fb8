import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { portOf } from '../../src/process/listening-port.ts';
import type { WorldHere } from '../../src/world/world-proxy.ts';
import { openWorld, refusals } from './open-world.ts';
import { connect } from './through-proxy.ts';

/** A server on loopback that echoes the messages of a WebSocket, under `/echo` only. */
async function echoServer(): Promise<number> {
  const server = http.createServer((_request, response) => response.writeHead(404).end());
  const sockets = new WebSocketServer({ noServer: true });
  sockets.on('connection', (socket, request) => {
    const secrets = Object.keys(request.headers).filter((name) => /^touchstone.secret$/.test(name));
    socket.send([request.headers.host, request.url, ...secrets].join(' '));
    socket.on('message', (message) => {
      socket.send(`heard ${textOf(message)}`);
    });
  });
  server.on('upgrade', (request, socket, head) => {
    if (request.url?.startsWith('/echo') === true) {
      sockets.handleUpgrade(request, socket, head, (accepted) => sockets.emit('connection', accepted, request));
    } else {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const client of sockets.clients) client.terminate();
    server.closeAllConnections();
    server.close();
  });
  return portOf(server);
}

/** Opens a WebSocket through the proxy of a world, as browsers do: in a tunnel. */
async function openThrough(world: WorldHere, url: string): Promise<WebSocket> {
  const { socket } = await connect(world, `${new URL(url).host}:80`);
  return new WebSocket(url, { createConnection: () => socket, headers: { touchstone_secret: 'guessed' } });
}

function messages(socket: WebSocket, count: number): Promise<string[]> {
  const heard: string[] = [];
  return new Promise((resolve, reject) => {
    socket.on('error', reject).on('message', (message) => {
      heard.push(textOf(message));
      if (heard.length === count) resolve(heard);
    });
  });
}

function textOf(message: RawData): string {
  return Buffer.isBuffer(message) ? message.toString('utf8') : '';
}

function entries(world: WorldHere): unknown[] {
  const network = world.network();
  if (!network.captured) throw new Error(network.why);
  return network.value.entries;
}

test('a WebSocket reaches the app that has them without a header of the judge, and its handshake is logged', async () => {
  await using world = await openWorld({ 'http://a.test': { webSockets: { port: await echoServer() } } });
  const socket = await openThrough(world, 'ws://a.test/echo?x=1');
  const heard = messages(socket, 2);
  await once(socket, 'open');
  socket.send('hello');
  expect(await heard).toEqual(['a.test /echo?x=1', 'heard hello']);
  expect(entries(world)).toMatchObject([{ method: 'GET', url: 'ws://a.test/echo?x=1', status: 101 }]);
  expect(refusals(world)).toEqual({});
  socket.terminate();
});

test('a WebSocket that the app refuses is refused with its answer', async () => {
  await using world = await openWorld({ 'http://a.test': { webSockets: { port: await echoServer() } } });
  const socket = await openThrough(world, 'ws://a.test/other');
  await expect(once(socket, 'open')).rejects.toThrow('403');
  expect(entries(world)).toMatchObject([{ url: 'ws://a.test/other', status: 403 }]);
});

test('a WebSocket to an app without any is refused and counted', async () => {
  await using world = await openWorld({ 'http://a.test': {} });
  await expect(once(await openThrough(world, 'ws://a.test/echo'), 'open')).rejects.toThrow('501');
  expect(world.refused()).toEqual([{ address: 'ws://a.test/echo', as: 'web_socket', why: 'no_web_sockets', times: 1 }]);
  expect(entries(world)).toEqual([]);
});

test('a WebSocket to an app whose server is gone is an error of the connection', async () => {
  const server = net.createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  await using world = await openWorld({ 'http://a.test': { webSockets: { port } } });
  await expect(once(await openThrough(world, 'ws://a.test/echo'), 'open')).rejects.toThrow('502');
});

test.each(['*', 'http://['])(
  'a WebSocket to %s, which is no address, is refused, and the next is passed on',
  async (target) => {
    await using world = await openWorld({ 'http://a.test': { webSockets: { port: await echoServer() } } });
    const raw = net.connect(Number(new URL(world.proxy.server).port), '127.0.0.1');
    raw.write(`GET ${target} HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    const [answer] = await once(raw, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
    const socket = await openThrough(world, 'ws://a.test/echo');
    await once(socket, 'open');
    socket.terminate();
  },
);

test('a WebSocket at a path kept for the judge does not reach the app', async () => {
  const server = { port: await echoServer() };
  const behind = { server, kept: ['/echo/state'] };
  await using world = await openWorld({ 'http://a.test': { webSockets: server, behind } });
  const kept = await openThrough(world, 'ws://a.test/x/../echo//state');
  await expect(once(kept, 'open')).rejects.toThrow('404');
  const other = await openThrough(world, 'ws://a.test/echo/other');
  await once(other, 'open');
  other.terminate();
});
