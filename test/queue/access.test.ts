import { readFile } from 'node:fs/promises';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { PREFIX } from '../../src/queue/connection.ts';
import { goKey } from '../../src/queue/messages.ts';
import { MAX_BYTES } from '../../src/bundle/limits.ts';
import { redisStore } from '../../src/queue/stores.ts';
import { startRedis } from './redis-server.ts';

const CAMPAIGN = 'c'.repeat(64);

async function userWho(may: readonly string[]): Promise<Redis> {
  const { port } = await startRedis({ words: ['--user', 'default', 'off', '--user', 'touchstone', ...may] });
  const client = new Redis({ port, username: 'touchstone', password: 'secret', maxRetriesPerRequest: null });
  onTestFinished(() => {
    client.disconnect();
  });
  return client;
}

async function documented(): Promise<string[]> {
  const found = /^ACL SETUSER touchstone (.*)$/m.exec(await readFile('docs/scale.md', 'utf8'));
  return found?.[1]?.split(' ') ?? [];
}

/** Gives a job to a queue and has none taken for a minute, as a complaint of a provider does. */
async function useQueue(client: Redis): Promise<number> {
  const queue = new Queue(CAMPAIGN, { connection: client, prefix: PREFIX });
  await queue.add('attempt', {}, { jobId: 'a-1', priority: 1 });
  await queue.rateLimit(60_000);
  return await queue.getRateLimitTtl();
}

test('the user of docs/scale.md may do everything that a queue needs', async () => {
  const client = await userWho(await documented());
  expect(await useQueue(client)).toBeGreaterThan(0);
  await client.set(goKey('a'), 'go', 'EX', 60);
  expect(await client.get(goKey('a'))).toBe('go');
});

test('and one without scripts may not', async () => {
  const client = await userWho([...(await documented()), '-eval', '-evalsha']);
  await expect(useQueue(client)).rejects.toThrow('NOPERM');
});

test('no more of a blob in Redis is read than a blob may hold', async () => {
  const client = await userWho(await documented());
  const store = redisStore(client);
  const [small, huge] = [await store.put('small'), 'f'.repeat(64)];
  await client.setrange(`${PREFIX}:blob:${huge}`, 2 * MAX_BYTES.blob, 'x');
  expect((await store.get(small)).toString()).toBe('small');
  await expect(store.get(huge)).rejects.toMatchObject({ code: 'store_blob_too_large' });
  await expect(store.get('0'.repeat(64))).rejects.toMatchObject({ code: 'store_lacks_blob' });
});
