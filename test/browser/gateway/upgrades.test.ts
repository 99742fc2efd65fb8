import { once } from 'node:events';
import http from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { acceptUpgrades } from '../../../src/browser/gateway/upgrades.ts';
import { Budget } from '../../../src/process/budget.ts';
import { portOf } from '../../../src/process/listening-port.ts';

const KB = 1024;
const COST = 68 * KB;
const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0).toReversed()) close();
});

async function serve(clients: number) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const entered: string[] = [];
  const server = http.createServer();
  acceptUpgrades(server, {
    budget: new Budget({ perSecond: clients * COST, burst: clients * COST }),
    targetOf: ({ url = '' }) => (url === '/none' ? null : url),
    connect: (_client, _socket, path) => entered.push(path),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  const connect = (path: string): WebSocket => {
    const client = new WebSocket(`ws://127.0.0.1:${portOf(server)}${path}`);
    client.on('error', () => {});
    closing.push(() => client.terminate());
    return client;
  };
  const upgraded = async (count: number): Promise<void> => {
    for (let seen = 0; seen < count; seen += 1) await once(server, 'upgrade');
  };
  return { connect, entered, upgraded };
}

test('clients are accepted as the budget allows, and the others wait', async () => {
  const { connect, entered, upgraded } = await serve(3);
  const asked = upgraded(12);
  for (let count = 0; count < 12; count += 1) connect('/');
  await asked;
  // All connections are paid for by then.
  expect(entered.length).toBeLessThanOrEqual(4);
  await vi.advanceTimersByTimeAsync(60_000);
  await vi.waitUntil(() => entered.length === 12, { timeout: 60_000 });
});

test('a rejected client costs budget, too', async () => {
  const { connect, entered, upgraded } = await serve(1);
  for (const path of ['/none', '/none', '/here']) {
    const asked = upgraded(1);
    connect(path);
    await asked;
  }
  expect(entered).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_000);
  await vi.waitUntil(() => entered.length > 0, { timeout: 60_000 });
  expect(entered).toEqual(['/here']);
});
