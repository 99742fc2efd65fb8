import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { portOf } from '../../src/process/listening-port.ts';
import { startLocalWorld } from '../../src/world/local.ts';
import type { World } from '../../src/world/world-proxy.ts';
import { sharedIdentity } from '../shared-browser.ts';

const ADDRESS = 'http://a.localhost/';
const REQUEST = `GET ${ADDRESS} HTTP/1.1\r\nHost: a.localhost\r\n\r\n`;
const open: { close: () => unknown }[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const each of open.splice(0).toReversed()) await each.close();
});

async function openWorld(webSockets?: { port: number }, answered?: () => Promise<void>) {
  const asked = { requests: 0 };
  const fetch = async (): Promise<Response> => {
    asked.requests += 1;
    await answered?.();
    return new Response('here');
  };
  const site = {
    origin: new URL(ADDRESS).origin,
    create: () => ({ state: () => null, fetch, ...(webSockets === undefined ? {} : { webSockets }) }),
    hasState: false,
    standIn: false,
  };
  const world = await startLocalWorld({ sites: [site], parameters: {}, identity: await sharedIdentity(), live: false });
  open.push(world);
  return { world, asked };
}

function connect({ proxy }: World): net.Socket {
  const socket = net.connect(Number(new URL(proxy.server).port), '127.0.0.1');
  socket.on('error', () => {});
  open.push({ close: () => socket.destroy() });
  return socket;
}

async function ask(world: World): Promise<void> {
  const socket = connect(world);
  socket.end(REQUEST.replace('Host:', 'Connection: close\r\nHost:'));
  await once(socket.resume(), 'close');
}

const BODY = 'a=1&'.repeat(64 * 1024);
const FORM = `POST ${ADDRESS} HTTP/1.1\r\nHost: a.localhost\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

test.each([
  ['sends endless requests to a built-in app', REQUEST.repeat(1_000), 2_100],
  ['sends large forms to a built-in app', FORM.repeat(8), 34],
])('a page that %s delays the app of a rival by no more than the budget', async (_, flood, most) => {
  // No time goes by in which something could be spent again.
  vi.useFakeTimers({ toFake: ['performance'] });
  const [flooded, spared] = [await openWorld(), await openWorld()];
  for (let connections = 0; connections < 8; connections += 1) connect(flooded.world).resume().write(flood);
  for (let requests = 0; requests < 200; requests += 1) await ask(spared.world);
  expect(spared.asked.requests).toBe(200);
  expect(flooded.asked.requests).toBeGreaterThan(0);
  expect(flooded.asked.requests).toBeLessThan(most);
});

test('a connection with endlessly pipelined requests is closed', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const [flooded, spared] = [await openWorld(), await openWorld()];
  connect(flooded.world).resume().write(REQUEST.repeat(50_000));
  for (let requests = 0; requests < 200; requests += 1) await ask(spared.world);
  expect(flooded.world.traffic.sent).toBeGreaterThan(2_000);
  expect(flooded.world.traffic.sent).toBeLessThan(10_000);
});

const FRAMES = Buffer.alloc(12 * 1024 * 1024);

test('a page that floods its app by WebSocket is slowed to the budget, drops nothing, and keeps no rival waiting', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let received = 0;
  const server = http.createServer().on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket
      .on('error', () => {})
      .on('data', (bytes: Buffer) => {
        received += bytes.length;
        if (received === FRAMES.length) server.emit('all');
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  open.push({ close: () => server.close() });
  const [flooded, spared] = [await openWorld({ port: portOf(server) }), await openWorld()];
  const socket = connect(flooded.world).resume();
  socket.write(REQUEST.replace('Host:', 'Connection: Upgrade\r\nUpgrade: websocket\r\nHost:'));
  socket.write(FRAMES);
  for (let requests = 0; requests < 200; requests += 1) await ask(spared.world);
  expect(received).toBeLessThan(9 * 1024 * 1024);
  const all = once(server, 'all');
  vi.advanceTimersByTime(60_000);
  await all;
});

const CONNECT = 'CONNECT a.localhost:80 HTTP/1.1\r\nHost: a.localhost:80\r\n\r\n';
const UPGRADE = REQUEST.replace('Host:', 'Connection: Upgrade\r\nUpgrade: websocket\r\nHost:');

test.each([
  ['a tunnel', CONNECT, '200'],
  ['a WebSocket', UPGRADE, '501'],
])('%s waits until the budget has room for it', async (_, opening, status) => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  const { world } = await openWorld();
  connect(world).resume().write(REQUEST.repeat(2_100));
  await expect.poll(() => world.traffic.sent).toBeGreaterThan(2_050);
  const socket = connect(world);
  let received = '';
  socket.on('data', (bytes: Buffer) => {
    received += bytes.toString();
  });
  socket.write(opening);
  for (let requests = 0; requests < 20; requests += 1) await ask((await openWorld()).world);
  expect(received).toBe('');
  vi.advanceTimersByTime(60_000);
  await once(socket, 'data');
  expect(received).toContain(`HTTP/1.1 ${status}`);
});

const LARGE = 'a'.repeat(9.5 * 1024 * 1024);
const UPLOAD = `POST ${ADDRESS} HTTP/1.1\r\nHost: a.localhost\r\nContent-Length: ${LARGE.length}\r\n\r\n${LARGE}`;

test('one body too many for a world to answer is refused, and an answer makes room', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  const answers: (() => void)[] = [];
  const { world, asked } = await openWorld(undefined, () => new Promise((answer) => answers.push(answer)));
  const upload = (): { received: string } => {
    const reply = { received: '' };
    const socket = connect(world);
    socket.on('data', (bytes: Buffer) => {
      reply.received += bytes.toString();
    });
    socket.write(UPLOAD);
    return reply;
  };
  const refilled = () => vi.advanceTimersByTime(60_000);
  for (let uploads = 1; uploads <= 6; uploads += 1) {
    upload();
    await expect.poll(() => [refilled(), asked.requests].at(-1)).toBe(uploads);
  }
  const refused = upload();
  await expect.poll(() => [refilled(), refused.received].at(-1)).toContain('HTTP/1.1 413');
  answers.shift()?.();
  upload();
  await expect.poll(() => [refilled(), asked.requests].at(-1)).toBe(7);
});
