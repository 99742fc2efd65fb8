import { expect, test } from 'vitest';
import { TimeLeft } from '../../src/qualify/listener.ts';

/** A clock that shows what was set. */
function clockOf() {
  let at = 5_000;
  return { now: () => at, wait: (ms: number) => (at += ms) };
}

test('the time that is left is unknown until a trial was measured', () => {
  const { now, wait } = clockOf();
  const left = new TimeLeft(2, [], 1, now);
  expect(left).toMatchObject({ trials: 2, ms: null });
  wait(1_500);
  left.finish(1_500);
  expect(left).toMatchObject({ trials: 1, ms: 1_500 });
});

test('trials take as long as those of earlier proofs, until one was measured', () => {
  const { now, wait } = clockOf();
  const left = new TimeLeft(3, [2_000, 4_000], 1, now);
  expect(left.ms).toBe(9_000);
  wait(10_000);
  left.finish(10_000);
  expect(left).toMatchObject({ trials: 2, ms: 20_000 });
});

test('the time between trials counts more with each that finished', () => {
  const { now, wait } = clockOf();
  const left = new TimeLeft(110, [], 1, now);
  const finish = (count: number) => {
    for (let done = 0; done < count; done += 1) {
      wait(3_000);
      left.finish(1_000);
    }
    return (left.ms ?? 0) / left.trials;
  };
  expect([finish(10), finish(80)]).toEqual([2_000, 2_800]);
});

test('trials that are dropped take no time', () => {
  const left = new TimeLeft(3, [1_000], 1);
  left.drop(2);
  expect(left).toMatchObject({ trials: 1, ms: 1_000 });
});

test('trials that run at once share the time', () => {
  expect(new TimeLeft(3, [1_000], 3).ms).toBe(1_000);
});
