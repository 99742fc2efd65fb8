import { expect, test } from 'vitest';
import { settle } from '../../src/episode/settle.ts';

function settleOn(values: readonly string[]) {
  let taken = 0;
  return settle({
    capture: () => {
      const value = values[Math.min(taken, values.length - 1)] ?? '';
      taken += 1;
      return Promise.resolve(value);
    },
    fingerprint: (value) => value,
    settleMs: 1,
    meanwhile: () => Promise.resolve(),
  });
}

test('two captures that agree are enough', async () => {
  expect(await settleOn(['a', 'a', 'b'])).toEqual({ value: 'a', unsettled: false });
});

test('a changing page is captured again until it settles', async () => {
  expect(await settleOn(['a', 'b', 'c', 'c'])).toEqual({ value: 'c', unsettled: false });
});

test('a capture too slow to repeat within the limit is not repeated', async () => {
  let [taken, meanwhile] = [0, 0];
  const settled = await settle({
    capture: async () => {
      taken += 1;
      return await Promise.resolve('a');
    },
    fingerprint: (value) => value,
    settleMs: 1,
    limitMs: 0,
    meanwhile: () => {
      meanwhile += 1;
      return Promise.resolve();
    },
  });
  expect(settled).toEqual({ value: 'a', unsettled: true });
  expect([taken, meanwhile]).toEqual([1, 1]);
});

test('a capture that cannot be the last is repeated, even if nothing has changed', async () => {
  let taken = 0;
  const settled = await settle({
    capture: () => Promise.resolve((taken += 1)),
    fingerprint: (value) => (value < 4 ? null : 'rests'),
    settleMs: 1,
    meanwhile: () => Promise.resolve(),
  });
  expect(settled).toEqual({ value: 5, unsettled: false });
});

test('a page that never settles is taken as it is, and marked', async () => {
  let count = 0;
  const settled = await settle({
    capture: () => Promise.resolve((count += 1)),
    fingerprint: String,
    settleMs: 1,
    limitMs: 20,
    meanwhile: () => Promise.resolve(),
  });
  expect(settled).toEqual({ value: count, unsettled: true });
});
