import { describe, expect, test } from 'vitest';
import { OwnPurse, type Purse } from '../../src/episode/purse.ts';
import { TurnMeter } from '../../src/episode/turn-meter.ts';
import { ending } from '../../src/episode/trajectory.ts';
import { CAPS, DEAREST, never, spendAll } from './dear-model.ts';
import { heardSink } from './heard-sink.ts';

/** Sixteen workers that share a purse spend all of it. */
const sixteenSpend = async (purse: Purse) => await spendAll(Array.from({ length: 16 }, () => purse));

describe('sixteen workers with one purse', () => {
  test.each([0.05, 0.1, 1, 1.05, 5])(
    'never pass a cap of %d USD by more than one reply, and spend all of it',
    async (cap) => {
      const { usd, atOnce, ends } = await sixteenSpend(new OwnPurse(cap));
      expect(ends).toEqual(new Set(['infra_error']));
      expect(usd).toBeLessThan(cap + DEAREST + 1e-9);
      expect(usd).toBeGreaterThanOrEqual(cap - 1e-9);
      expect(atOnce).toBe(Math.min(16, Math.max(1, Math.floor((cap - 1e-5) / DEAREST))));
    },
  );

  test('would pass it by many, were nothing held', async () => {
    const purse = new OwnPurse(1);
    purse.reserve = () => Promise.resolve((usd) => purse.take(usd));
    expect((await sixteenSpend(purse)).usd).toBeGreaterThan(1 + 2 * DEAREST);
  });
});

test('a call that costs nothing that is known waits for nobody', async () => {
  const purse = new OwnPurse(1);
  await purse.reserve(5, never());
  await expect(purse.reserve(0, never())).resolves.toBeTypeOf('function');
});

test('a call that waits is given up with its signal, and the money goes to the next', async () => {
  const purse = new OwnPurse(1);
  const settle = await purse.reserve(0.9, never());
  const stop = new AbortController();
  const givenUp = purse.reserve(0.5, stop.signal);
  const next = purse.reserve(0.5, never());
  stop.abort(new Error('no more'));
  await expect(givenUp).rejects.toThrow('no more');
  settle(0.2);
  settle(0.2);
  await next;
  expect(purse.empty).toBeNull();
});

test('an episode whose wall cap comes while it waits for money is interrupted, and none of its own failures', async () => {
  const purse = new OwnPurse(1);
  await purse.reserve(0.9, never());
  const turns = new TurnMeter({ caps: CAPS, sink: heardSink(() => {}), purse });
  const stop = new AbortController();
  const waiting = turns.afford(() => 0.5, stop.signal);
  stop.abort(new Error('time is up'));
  await expect(waiting).rejects.toThrow('time is up');
  expect(turns.timedOut(ending('timeout', 'the wall cap'))).toMatchObject({ stop: 'infra_error' });
});
