import { describe, expect, test } from 'vitest';
import { MoneyBudget } from '../../src/episode/budget.ts';
import { TurnMeter } from '../../src/episode/turn-meter.ts';
import { ending } from '../../src/episode/trajectory.ts';
import { CAPS, DEAREST, never, spendAll } from './dear-model.ts';
import { heardSink } from './heard-sink.ts';

/** Sixteen workers that share a budget spend all of it. */
const sixteenSpend = async (budget: MoneyBudget) => await spendAll(Array.from({ length: 16 }, () => budget));

describe('sixteen workers with one budget', () => {
  test.each([0.05, 0.1, 1, 1.05, 5])(
    'never pass a cap of %d USD by more than one reply, and spend all of it',
    async (cap) => {
      const { usd, atOnce, ends } = await sixteenSpend(new MoneyBudget(cap));
      expect(ends).toEqual(new Set(['infra_error']));
      expect(usd).toBeLessThan(cap + DEAREST + 1e-9);
      expect(usd).toBeGreaterThanOrEqual(cap - 1e-9);
      expect(atOnce).toBe(Math.min(16, Math.max(1, Math.floor((cap - 1e-5) / DEAREST))));
    },
  );

  test('would pass it by many replies if nothing were held', async () => {
    const budget = new MoneyBudget(1);
    budget.reserve = () => Promise.resolve((usd) => budget.take(usd));
    expect((await sixteenSpend(budget)).usd).toBeGreaterThan(1 + 2 * DEAREST);
  });
});

/** Runs as many episodes as a budget covers, of which each may cost 0.5 USD and each costs this much; returns the sum paid. */
async function runAll(budget: MoneyBudget, costUsd: number, cover = budget.cover.bind(budget)): Promise<number> {
  let usd = 0;
  const work = async (): Promise<void> => {
    for (let settle = await cover(0.5, never()); settle !== null && usd < 50; settle = await cover(0.5, never())) {
      await new Promise(setImmediate);
      usd += costUsd;
      settle(costUsd);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return usd;
}

describe('episodes that run in other processes', () => {
  test.each([0.4, 0.5, 1.2, 7.7])(
    'never cost more than a cap of %d USD, if each keeps to its allowance',
    async (cap) => {
      for (const cost of [0.01, 0.3, 0.5]) {
        const usd = await runAll(new MoneyBudget(cap), cost);
        expect(usd).toBeLessThanOrEqual(cap + 1e-9);
        // Nothing is left that would cover another.
        expect(usd).toBeGreaterThan(cap - 0.5 - 1e-9);
      }
    },
  );

  test('would cost more if allowances were not held', async () => {
    const budget = new MoneyBudget(1);
    const cover = () => Promise.resolve(budget.empty === null ? budget.take.bind(budget) : null);
    expect(await runAll(budget, 0.3, cover)).toBeGreaterThan(1);
  });

  test('give back what they have not spent', async () => {
    const budget = new MoneyBudget(1);
    const [first, second] = [await budget.cover(0.5, never()), await budget.cover(0.5, never())];
    const third = budget.cover(0.5, never());
    first?.(0.2);
    second?.(0.2);
    expect(await third).not.toBeNull();
    expect(budget.spent).toBe('0.4 of 1 USD are spent');
  });
});

test('a call whose cost is unknown waits for no other', async () => {
  const budget = new MoneyBudget(1);
  await budget.reserve(5, never());
  await expect(budget.reserve(0, never())).resolves.toBeTypeOf('function');
});

test('a call that waits is given up with its signal, and the money goes to the next', async () => {
  const budget = new MoneyBudget(1);
  const settle = await budget.reserve(0.9, never());
  const stop = new AbortController();
  const givenUp = budget.reserve(0.5, stop.signal);
  const next = budget.reserve(0.5, never());
  stop.abort(new Error('no more'));
  await expect(givenUp).rejects.toThrow('no more');
  settle(0.2);
  settle(0.2);
  await next;
  expect(budget.empty).toBeNull();
});

test('an episode whose wall cap comes while it waits for money is interrupted, not failed', async () => {
  const budget = new MoneyBudget(1);
  await budget.reserve(0.9, never());
  const turns = new TurnMeter({ caps: CAPS, sink: heardSink(() => {}), budget });
  const stop = new AbortController();
  const waiting = turns.afford(() => 0.5, stop.signal);
  stop.abort(new Error('time is up'));
  await expect(waiting).rejects.toThrow('time is up');
  expect(turns.timedOut(ending('timeout', 'the wall cap'))).toMatchObject({ stop: 'infra_error' });
});
