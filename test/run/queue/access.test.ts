import { readFile } from 'node:fs/promises';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { PACE_RULES } from '../../../src/model/pace.ts';
import { SharedPace } from '../../../src/run/queue/shared-pace.ts';
import { startRedis } from './redis-server.ts';

const CAMPAIGN = 'c'.repeat(64);
const never = () => new AbortController().signal;
const note = (line: string): void => {
  throw new Error(line);
};

/** A client of a Redis as the user that docs/scale.md sets up, who may do this. */
async function userWho(may: readonly string[]): Promise<Redis> {
  const { port } = await startRedis({ words: ['--user', 'default', 'off', '--user', 'touchstone', ...may] });
  const client = new Redis({ port, username: 'touchstone', password: 'secret' });
  onTestFinished(() => {
    client.disconnect();
  });
  return client;
}

async function documented(): Promise<string[]> {
  const found = /^ACL SETUSER touchstone (.*)$/m.exec(await readFile('docs/scale.md', 'utf8'));
  return found?.[1]?.split(' ') ?? [];
}

test('the user of docs/scale.md may do all that the pace needs', async () => {
  const client = await userWho(await documented());
  const rules = { ...PACE_RULES, callMs: 90_000 };
  const ticket = new SharedPace({ client, campaign: CAMPAIGN, provider: 'openai', rules, note }).ticket();
  const waiting = { pause: () => Promise.resolve(), signal: never(), onHeld: note };
  await ticket.enter(waiting);
  ticket.leave({ status: 429, waitMs: null });
  await ticket.enter(waiting);
  expect(await client.keys('touchstone:pace:*')).toHaveLength(2);
});
