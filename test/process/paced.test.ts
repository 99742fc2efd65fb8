import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { Budget } from '../../src/process/budget.ts';
import { Paced } from '../../src/process/paced.ts';

const KB = 1024;

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function setUp(kilobytes: number) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const [stream, handed]: [PassThrough, string[]] = [new PassThrough(), []];
  const budget = new Budget({ perSecond: kilobytes * KB, burst: kilobytes * KB });
  const paced = new Paced<string>(stream, budget, (line) => handed.push(line));
  return { stream, handed, paced };
}

function lines(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index));
}

test('some of many messages are passed on, and then everything else has its turn', async () => {
  const { handed, paced } = setUp(1_000_000);
  paced.take(lines(1_000), 4_000);
  expect(handed).toHaveLength(64);
  await turn();
  expect(handed).toHaveLength(128);
  await paced.idle();
  expect(handed).toEqual(lines(1_000));
});

test('short messages are passed on as the budget allows, each at the cost of 2 kB', async () => {
  const { handed, paced, stream } = setUp(20);
  paced.take(lines(1_000), 4_000);
  for (let turns = 0; turns < 20; turns += 1) await turn();
  // The first that are handed on at once overdraw it, and are paid for before the next.
  expect(handed).toHaveLength(64);
  expect(stream.isPaused()).toBe(true);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(handed.length).toBeGreaterThan(64);
  expect(handed.length).toBeLessThan(200);
});

test('messages that take long are passed on one at a time, and for a quarter of the time', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const handed: string[] = [];
  const budget = new Budget({ perSecond: 8 * KB * KB, burst: 32 * KB * KB });
  const stream = new PassThrough();
  const paced = new Paced<string>(stream, budget, (line) => {
    handed.push(line);
    now += 100;
  });
  paced.take(lines(1_000), 4_000);
  expect(handed).toHaveLength(1);
  for (let turns = 0; turns < 100; turns += 1) await turn();
  expect(handed).toHaveLength(14);
  expect(stream.isPaused()).toBe(true);
  paced.stop();
});

test('a stream that has brought too much is not read further until it is paid for', async () => {
  const { paced, stream } = setUp(100);
  stream.resume();
  paced.take([], 300 * KB);
  expect(stream.isPaused()).toBe(true);
  await vi.advanceTimersByTimeAsync(1_900);
  expect(stream.isPaused()).toBe(true);
  await vi.advanceTimersByTimeAsync(200);
  expect(stream.isPaused()).toBe(false);
});

test('a stopped reader passes on nothing more, and discards the rest', async () => {
  const { handed, paced, stream } = setUp(1);
  paced.take(lines(1_000), 300 * KB);
  paced.stop();
  expect(stream.isPaused()).toBe(false);
  await paced.idle();
  paced.take(['late'], 4);
  await vi.advanceTimersByTimeAsync(1_000_000);
  expect(handed).toEqual([]);
});
