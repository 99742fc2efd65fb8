import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { portOf } from '../../../src/process/listening-port.ts';
import { CampaignMoney } from '../../../src/run/queue/campaign-money.ts';
import { SharedPurse } from '../../../src/run/queue/shared-purse.ts';
import { DEAREST, never, spendAll } from '../../episode/dear-model.ts';
import { startRedis } from './redis-server.ts';

const CAMPAIGN = 'c'.repeat(64);
/** Said of Redis while a test ran; that a connection is closed at its end is nothing to be told. */
let notes: string[] = [];
const note = (line: string): void => {
  notes.push(line);
};

beforeEach(() => {
  notes = [];
});

afterEach(() => {
  if (notes.length > 0) throw new Error(notes.join('\n'));
});

async function clientOf(address: string): Promise<Redis> {
  const client = new Redis(address, { maxRetriesPerRequest: null, retryStrategy: () => 20 });
  client.on('error', () => {});
  onTestFinished(() => {
    client.disconnect();
  });
  await client.ping();
  return client;
}

/** A campaign with this cap, and what opens the purse of an attempt at a machine of its own. */
async function campaignWith(cap: number | null, spent = 0) {
  const redis = await startRedis();
  const client = await clientOf(redis.address);
  const reopened = async (before = spent) =>
    await CampaignMoney.open({ client, campaign: CAMPAIGN, budget: { cap, spent: before }, note });
  const money = await reopened();
  const purseOf = async (attempt: string): Promise<SharedPurse> => {
    const purse = new SharedPurse({ client: await clientOf(redis.address), campaign: CAMPAIGN, attempt, note });
    onTestFinished(async () => purse.said());
    return purse;
  };
  return { redis, client, money, purseOf, reopened };
}

const sixteen = (purseOf: (attempt: string) => Promise<SharedPurse>) =>
  Promise.all(Array.from({ length: 16 }, (_, index) => purseOf(`episode-${index}`)));

/** A way to Redis that can be cut as soon as Redis has answered: the answer is lost. */
async function frailWayTo(port: number) {
  let isToBeCut = false;
  let cuts = 0;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    const end = (): void => {
      near.destroy();
      far.destroy();
    };
    for (const each of [near, far]) each.on('error', end).on('close', end);
    near.pipe(far);
    far.on('data', (answer) => {
      if (!isToBeCut) {
        near.write(answer);
        return;
      }
      isToBeCut = false;
      cuts += 1;
      end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return {
    address: `redis://127.0.0.1:${portOf(server)}`,
    loseNextAnswer: () => {
      isToBeCut = true;
    },
    cuts: () => cuts,
  };
}

describe('sixteen machines with one purse in Redis', () => {
  test.each([0.05, 0.1, 1.05])(
    'never pass a cap of %d USD by more than one reply, and spend all of it',
    async (cap) => {
      const { purseOf } = await campaignWith(cap);
      const { usd, atOnce, ends } = await spendAll(await sixteen(purseOf));
      expect(ends).toEqual(new Set(['infra_error']));
      expect(usd).toBeLessThan(cap + DEAREST + 1e-9);
      expect(usd).toBeGreaterThanOrEqual(cap - 1e-9);
      expect(atOnce).toBeLessThanOrEqual(Math.max(1, Math.floor((cap - 1e-5) / DEAREST)));
    },
  );

  test('would pass it by many, were nothing held', async () => {
    const { purseOf } = await campaignWith(1);
    const purses = await sixteen(purseOf);
    // Each still hears what is spent.
    for (const purse of purses) {
      const reserve = purse.reserve.bind(purse);
      purse.reserve = async (_most, signal) => await reserve(0, signal);
    }
    expect((await spendAll(purses)).usd).toBeGreaterThan(1 + 2 * DEAREST);
  });
});

test('a campaign without a cap makes every call, and learns of a cap that it is given later', async () => {
  const { client, money, purseOf } = await campaignWith(null);
  const purse = await purseOf('a-1');
  (await purse.reserve(5, never()))(5);
  expect([purse.empty, money.empty]).toEqual([null, null]);
  await purse.said();
  await CampaignMoney.open({ client, campaign: CAMPAIGN, budget: { cap: 4, spent: 0 }, note });
  const next = await purseOf('a-2');
  await next.reserve(1, never());
  expect(next.empty).toBe('5 of 4 USD are spent');
});

test('what a lost worker held stays held until its attempt is void, and is spent then', async () => {
  const { client, money, purseOf } = await campaignWith(1);
  (await (await purseOf('lost-1')).reserve(0.3, never()))(0.1);
  await (await purseOf('lost-1')).reserve(0.8, never());
  const other = await purseOf('other-1');
  let isHeld = true;
  const waiting = other.reserve(0.2, never()).finally(() => {
    isHeld = false;
  });
  await expect.poll(() => client.hvals(`touchstone:money:${CAMPAIGN}:runs`)).toContain('0 0');
  expect(isHeld).toBe(true);
  await money.end('lost-1', null);
  // 0.9 are spent now, and nobody else has a call under way.
  const settle = await waiting;
  expect(other.empty).toBeNull();
  settle(0.1);
  await other.said();
  await other.reserve(0.2, never());
  expect(other.empty).toBe('1 of 1 USD are spent');
});

test('a call that is given up while it waits, or before, holds nothing', async () => {
  const { client, purseOf } = await campaignWith(1);
  const [first, second] = [await purseOf('a-1'), await purseOf('b-1')];
  await first.reserve(0.9, never());
  const stop = new AbortController();
  const givenUp = second.reserve(0.5, stop.signal);
  await expect.poll(() => client.hvals(`touchstone:money:${CAMPAIGN}:runs`)).toContain('0 0');
  stop.abort(new Error('no more'));
  await expect(givenUp).rejects.toThrow('no more');
  await expect(second.reserve(0.5, stop.signal)).rejects.toThrow('no more');
  await second.said();
  expect((await client.hvals(`touchstone:money:${CAMPAIGN}:runs`)).toSorted()).toEqual(['0 0', '0 0.9']);
});

test('an attempt that is void makes no further call, though its worker does not know yet', async () => {
  const { money, purseOf } = await campaignWith(1);
  const purse = await purseOf('lost-1');
  const settle = await purse.reserve(0.3, never());
  await money.end('lost-1', null);
  settle(0.4);
  await purse.said();
  await purse.reserve(0.1, never());
  expect(purse.empty).toBe('the coordinator has given up this attempt');
  // More than it held is counted all the same.
  await money.keep(() => true);
  const next = await purseOf('next-1');
  await next.reserve(0.1, never());
  expect(next.empty).toBeNull();
  (await (await purseOf('next-2')).reserve(0, never()))(0.6);
  await money.keep(() => false);
  expect(money.empty).toBe('1.1 of 1 USD are spent');
});

test('an attempt that has ended has cost what its record says, if its worker said less', async () => {
  const { money, purseOf } = await campaignWith(1);
  const purse = await purseOf('a-1');
  (await purse.reserve(0.5, never()))(0.2);
  await purse.said();
  await money.end('a-1', 0.9);
  money.take(0.1);
  expect(money.empty).toBe('1 of 1 USD are spent');
});

test('what is said again, because its answer was lost, is counted once', async () => {
  const { redis, client, purseOf } = await campaignWith(1);
  const way = await frailWayTo(redis.port);
  const budget = { cap: 1, spent: 0 };
  const money = await CampaignMoney.open({ client: await clientOf(way.address), campaign: CAMPAIGN, budget, note });
  (await (await purseOf('a-1')).reserve(0.3, never()))(0.2);
  way.loseNextAnswer();
  await money.end('a-1', 0.3);
  way.loseNextAnswer();
  await money.end('b-1', null);
  way.loseNextAnswer();
  money.take(0.1);
  await money.keep(() => true);
  expect(way.cuts()).toBe(3);
  expect(await client.hget(`touchstone:money:${CAMPAIGN}`, 'base')).toBe('0.40000000000000002');
  // Of attempts that have ended nothing is left but the last, and the question.
  await money.end('c-1', 0);
  expect(await client.hkeys(`touchstone:money:${CAMPAIGN}:ended`)).not.toContain('=a-1');
});

test('an attempt has said all only once Redis has heard what is said meanwhile, too', async () => {
  const { redis } = await campaignWith(1);
  const client = await clientOf(redis.address);
  const purse = new SharedPurse({ client, campaign: CAMPAIGN, attempt: 'a-1', note });
  const settle = await purse.reserve(0.3, never());
  const evaluate = client.eval.bind(client);
  const held: (() => void)[] = [];
  let heard = (): void => {};
  vi.spyOn(client, 'eval').mockImplementation(async (script, keys, ...words) => {
    await new Promise<void>((resolve) => held.push(resolve));
    return await evaluate(script, keys, ...words).finally(() => setImmediate(heard));
  });
  settle(0.2);
  let hasSaidAll = false;
  const said = purse.said().finally(() => {
    hasSaidAll = true;
  });
  purse.sayAgain();
  held.shift()?.();
  await new Promise<void>((resolve) => {
    heard = resolve;
  });
  expect(hasSaidAll).toBe(false);
  held.shift()?.();
  await said;
});

test('a campaign that goes on has spent what its ledger has, and what was held when its coordinator was killed', async () => {
  const { money, purseOf, reopened } = await campaignWith(1);
  const purse = await purseOf('a-1');
  await purse.reserve(0.6, never());
  expect((await reopened(0.2)).empty).toBeNull();
  expect((await reopened(1)).empty).toBe('1 of 1 USD are spent');
  expect(money.empty).toBeNull();
  await purse.reserve(0.1, never());
  expect(purse.empty).toBe('the coordinator has given up this attempt');
});

test('an attempt that a worker took and the ledger has not begun is run under its number when the campaign goes on', async () => {
  const { purseOf, reopened } = await campaignWith(1);
  const before = await purseOf('a-1');
  await before.reserve(0.2, never());
  const money = await reopened();
  // Of this one nobody has heard yet.
  const late = await purseOf('b-1');
  await late.reserve(0.2, never());
  await money.keep(() => false);
  for (const purse of [await purseOf('a-1'), await purseOf('b-1')]) {
    (await purse.reserve(0.1, never()))(0.1);
    expect(purse.empty).toBeNull();
    await purse.said();
  }
  for (const purse of [before, late]) {
    await purse.reserve(0.1, never());
    expect(purse.empty).toBe('the coordinator has given up this attempt');
  }
  // What those held is spent, and what was paid since.
  await money.end('a-1', 0.1);
  await money.end('b-1', 0.1);
  money.take(0.4);
  expect(money.empty).toBe('1 of 1 USD are spent');
});

test('a coordinator speaks again to a Redis that forgets all while it hears it', async () => {
  const { client, money, purseOf } = await campaignWith(1);
  await (await purseOf('a-1')).reserve(0.2, never());
  await money.keep(() => {
    void client.flushall();
    return false;
  });
  await money.keep(() => true);
  await money.keep(() => true);
  const next = await purseOf('b-1');
  await next.reserve(0.1, never());
  expect(next.empty).toBeNull();
});

test('a Redis that has forgotten all lets nobody call until it is given the money again, and what is under way with it', async () => {
  const { redis, money, purseOf } = await campaignWith(1, 0.5);
  const [lost, other, late] = [await purseOf('lost-1'), await purseOf('other-1'), await purseOf('late-1')];
  await lost.reserve(0.3, never());
  await money.keep(() => true);
  // The coordinator has not heard of this call.
  const settle = await other.reserve(0.15, never());
  await redis.stop('SIGKILL');
  let isSent = false;
  const waiting = late.reserve(0.1, never()).then((settleLate) => {
    isSent = true;
    return settleLate;
  });
  await redis.start();
  other.sayAgain();
  await other.said();
  await money.keep(() => true);
  expect(isSent).toBe(false);
  // The worker of the first never comes back.
  await money.keep((attempt) => attempt !== 'lost-1');
  expect(isSent).toBe(false);
  settle(0.05);
  (await waiting)(0.1);
  await late.said();
  await money.keep(() => false);
  // 0.5 before, 0.3 that were held, 0.05 and 0.1.
  expect(money.empty).toBeNull();
  money.take(0.051);
  expect(money.empty).toBe('1.001 of 1 USD are spent');
});

test('a Redis that comes back with what it knew a while ago lets nobody call until it is told what is spent since', async () => {
  const { redis, client, money, purseOf } = await campaignWith(1);
  const [early, second] = [await purseOf('early-1'), await purseOf('early-2')];
  const [lost, late] = [await purseOf('lost-1'), await purseOf('late-1')];
  (await early.reserve(0.1, never()))(0.1);
  await early.said();
  await money.end('early-1', 0.1);
  (await lost.reserve(0.1, never()))(0.1);
  await lost.said();
  await client.save();
  (await second.reserve(0.6, never()))(0.6);
  await second.said();
  await money.end('early-2', 0.6);
  await lost.reserve(0.15, never());
  await money.keep(() => true);
  await redis.stop('SIGKILL');
  await redis.start();
  const waiting = late.reserve(0.02, never());
  await expect.poll(() => client.hvals(`touchstone:money:${CAMPAIGN}:runs`)).toContain('0 0');
  let isEnded = false;
  const ending = money.end('early-3', 0.02).finally(() => {
    isEnded = true;
  });
  await money.keep(() => true);
  expect([await client.hget(`touchstone:money:${CAMPAIGN}`, 'cap'), isEnded]).toEqual([null, false]);
  await money.keep(() => true);
  (await waiting)(0.04);
  await Promise.all([ending, late.said()]);
  // Spent and ended are 0.72, spent besides 0.14, and 0.15 are held.
  await money.keep(() => false);
  expect(money.empty).toBe('1.01 of 1 USD are spent');
});

test('a Redis that is full for a while ends no campaign', async () => {
  const { client, money } = await campaignWith(1);
  await client.config('SET', 'maxmemory', '1mb');
  const ending = money.end('a-1', 1);
  await setTimeout(100);
  await client.config('SET', 'maxmemory', '0');
  await ending;
  expect(money.empty).toBe('1 of 1 USD are spent');
});

test('words that are no amounts count for nothing, and no amount is less than nothing', async () => {
  const { client, money, purseOf } = await campaignWith(1, 0.9);
  const runs = `touchstone:money:${CAMPAIGN}:runs`;
  await client.hset(runs, 'a-1/x', '-5 -5', 'a-1/y', 'nan nan', 'a-1/z', '{"spent":-1}');
  await client.hset(`touchstone:money:${CAMPAIGN}`, 'base', '-7');
  await money.keep(() => false);
  const purse = await purseOf('b-1');
  (await purse.reserve(0.05, never()))(0.1);
  await purse.said();
  await purse.reserve(0.05, never());
  expect(purse.empty).toBe('1 of 1 USD are spent');
});
