import { expect, test } from 'vitest';
import { TimeLeft } from '../../src/qualify/listener.ts';

test('the time that is left is unknown until a trial was measured', () => {
  const left = new TimeLeft(2, [], 1);
  expect(left).toMatchObject({ trials: 2, ms: null });
  left.finish(1_500);
  expect(left).toMatchObject({ trials: 1, ms: 1_500 });
});

test('trials take as long as those of earlier proofs, until one was measured', () => {
  const left = new TimeLeft(3, [2_000, 4_000], 1);
  expect(left.ms).toBe(9_000);
  left.finish(10_000);
  expect(left).toMatchObject({ trials: 2, ms: 20_000 });
});

test('trials that are dropped take no time', () => {
  const left = new TimeLeft(3, [1_000], 1);
  left.drop(2);
  expect(left).toMatchObject({ trials: 1, ms: 1_000 });
});

test('trials that run at once share the time', () => {
  const left = new TimeLeft(3, [1_000], 1);
  left.workers = 3;
  expect(left.ms).toBe(1_000);
});
