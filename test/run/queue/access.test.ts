import { readFile } from 'node:fs/promises';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { PACE_RULES } from '../../../src/model/pace.ts';
import { CampaignMoney } from '../../../src/run/queue/campaign-money.ts';
import { SharedPace } from '../../../src/run/queue/shared-pace.ts';
import { SharedPurse } from '../../../src/run/queue/shared-purse.ts';
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

test('the user of docs/scale.md may do all that money and pace need', async () => {
  const client = await userWho(await documented());
  const money = await CampaignMoney.open({ client, campaign: CAMPAIGN, budget: { cap: 1, spent: 0 }, note });
  const purse = new SharedPurse({ client, campaign: CAMPAIGN, attempt: 'a-1', note });
  (await purse.reserve(0.5, never()))(0.5);
  await purse.said();
  await money.keep(() => true);
  await money.end('a-1', 1);
  expect(money.empty).toBe('1 of 1 USD are spent');
  await money.forget();
  const rules = { ...PACE_RULES, callMs: 90_000 };
  const ticket = new SharedPace({ client, campaign: CAMPAIGN, provider: 'openai', rules, note }).ticket();
  const waiting = { pause: () => Promise.resolve(), signal: never(), onHeld: note };
  await ticket.enter(waiting);
  ticket.leave({ status: 429, waitMs: null });
  await ticket.enter(waiting);
  expect(await client.keys('touchstone:pace:*')).toHaveLength(2);
});

test('and one without scripts may not', async () => {
  const client = await userWho([...(await documented()), '-eval']);
  const opening = CampaignMoney.open({ client, campaign: CAMPAIGN, budget: { cap: 1, spent: 0 }, note });
  await expect(opening).rejects.toThrow('NOPERM');
});
