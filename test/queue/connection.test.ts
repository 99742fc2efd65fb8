import type { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { connectTo, type QueueConnection } from '../../src/queue/connection.ts';
import { queueAddress } from '../../src/queue/queue-address.ts';
import { startRedis } from './redis-server.ts';

async function connection(address: string): Promise<QueueConnection> {
  const connected = await connectTo(queueAddress(address, {}), () => {});
  onTestFinished(() => connected.close());
  return connected;
}

async function emits(client: Redis, event: 'ready' | 'reconnecting' | 'end'): Promise<void> {
  await new Promise<void>((resolve) => client.once(event, () => resolve()));
}

test('a client that is disconnected while it waits to reconnect ends, and rejects its commands', async () => {
  const redis = await startRedis();
  const { client } = await connection(redis.address);
  const blocked = client.duplicate();
  blocked.on('error', () => {});
  const answer = blocked.blpop('nothing', 0);
  await emits(blocked, 'ready');
  await redis.stop('SIGKILL');
  await emits(blocked, 'reconnecting');
  const ended = emits(blocked, 'end');
  blocked.disconnect();
  await expect(answer).rejects.toThrow('Connection is closed');
  await ended;
});

test('a worker that is closed while its Redis is away is closed', async () => {
  const redis = await startRedis();
  const { client, bullmq } = await connection(redis.address);
  const worker = new bullmq.Worker('jobs', async () => {}, { connection: client });
  worker.on('error', () => {});
  await worker.waitUntilReady();
  await redis.stop('SIGKILL');
  await emits(client, 'reconnecting');
  const closed = worker.close();
  await redis.start();
  await expect(closed).resolves.toBeUndefined();
});
