import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { Backlog } from '../../../src/browser/gateway/backlog.ts';

const MB = 1024 * 1024;

/** Two clients of a gateway, as it holds them. */
async function twoClients(): Promise<[WebSocket, WebSocket]> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const accept = async (): Promise<WebSocket> => {
    const accepted = once(server, 'connection');
    new WebSocket(`ws://127.0.0.1:${address.port}`).on('error', () => {});
    const [client] = await accepted;
    return client;
  };
  return [await accept(), await accept()];
}

test('whoever has most waiting is cut off, and nobody else', async () => {
  const [most, other] = await twoClients();
  const backlog = new Backlog();
  backlog.grow(other, 100 * MB);
  backlog.grow(most, 200 * MB);
  expect([most.readyState, other.readyState]).toEqual([WebSocket.CLOSING, WebSocket.OPEN]);
});

test('a client that was cut off counts no more, though it has not closed yet', async () => {
  const [most, other] = await twoClients();
  const backlog = new Backlog();
  backlog.grow(other, 100 * MB);
  backlog.grow(most, 200 * MB);
  backlog.grow(most, -10 * MB);
  backlog.grow(other, 150 * MB);
  expect(other.readyState).toBe(WebSocket.OPEN);
  backlog.grow(other, 10 * MB);
  expect(other.readyState).toBe(WebSocket.CLOSING);
});
