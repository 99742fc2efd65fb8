import { expect, test } from 'vitest';
import { TimeLeft } from '../../src/qualify/listener.ts';

const due = (id: string, ms: number | null) => ({ task: 'pay', id, ms });

test('nobody knows how long it takes before anything like it was measured', () => {
  const left = new TimeLeft([due('null', null), due('parrot', null)], [], 1);
  expect(left).toMatchObject({ trials: 2, ms: null });
  left.finish('pay', 'null', 1_500);
  expect(left).toMatchObject({ trials: 1, ms: 1_500 });
});

test('a trial that was made before takes as long as then, and another as long as the usual one', () => {
  const left = new TimeLeft([due('null', 1_000), due('near-miss-1', null)], [2_000, 4_000], 1);
  expect(left.ms).toBe(4_000);
  left.finish('pay', 'null', 10_000);
  expect(left).toMatchObject({ trials: 1, ms: 10_000 });
  left.finish('pay', 'near-miss-1', 1);
  expect(left).toMatchObject({ trials: 0, ms: 0 });
});

test('what an earlier run has done is not left', () => {
  const left = new TimeLeft([due('null', 1_000), due('parrot', 1_000), { task: 'order', id: 'null', ms: 500 }], [], 1);
  left.skip('pay', 'parrot');
  left.finish('pay', 'null', 7);
  expect(left).toMatchObject({ trials: 1, ms: 500 });
  left.finish('pay', 'null', 7);
  expect(left).toMatchObject({ trials: 1, ms: 500 });
});

test('what is left out is not left, and takes no time from other tasks', () => {
  const left = new TimeLeft([due('null', 1_000), due('parrot', null), { task: 'order', id: 'null', ms: 500 }], [], 1);
  left.leaveOut('pay');
  expect(left).toMatchObject({ trials: 1, ms: 500 });
});

test('trials that run at once share the time', () => {
  const left = new TimeLeft([due('null', 1_000), due('parrot', 1_000), due('quitter', 1_000)], [], 1);
  expect(left.ms).toBe(3_000);
  left.workers = 3;
  expect(left.ms).toBe(1_000);
});
