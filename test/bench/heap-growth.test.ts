import { expect, test } from 'vitest';
import { heapGrowth } from '../../bench/heap-growth.ts';

/** A heap of 100 MB that grows by this many bytes per episode, and swings above and below. */
const heapThat = (growsBy: number, swing = 5e5) =>
  Array.from({ length: 20 }, (_, at) => ({
    done: 20 * at,
    bytes: 100e6 + growsBy * 20 * at + (at % 2 === 0 ? swing : -swing),
  }));

test('a heap that grows by less than a row does not leak', () => {
  const { slope, half, leaks } = heapGrowth(heapThat(500));
  expect(Math.abs(slope - 500)).toBeLessThan(half);
  expect(leaks).toBe(false);
});

test('a heap in which the row of each episode stays leaks', () => {
  expect(heapGrowth(heapThat(8_000)).leaks).toBe(true);
});

test('a heap in which the evidence of each episode stays leaks', () => {
  expect(heapGrowth(heapThat(200_000)).leaks).toBe(true);
});

test('a few looks at a fluctuating heap cannot show that it leaks', () => {
  expect(heapGrowth(heapThat(200_000, 5e6).slice(0, 4)).leaks).toBe(false);
});
