import { expect, test } from 'vitest';
import { within } from '../../src/process/deadline.ts';

test('work that ends in time gives its value', async () => {
  expect(await within(1_000, () => Promise.resolve(7))).toEqual({ finished: true, value: 7 });
});

test('work that ignores its signal is given up when the time is up', async () => {
  const signals: AbortSignal[] = [];
  const outcome = await within(5, (given) => {
    signals.push(given);
    return new Promise(() => {});
  });
  expect(outcome).toEqual({ finished: false });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test('work may go on over its time for as long as a promise allows, and no longer', async () => {
  let end = (): void => {};
  const more = new Promise<void>((resolve) => {
    end = resolve;
  });
  const slow = within(
    5,
    () => new Promise<number>((resolve) => void more.then(() => setImmediate(resolve, 7))),
    () => {
      setImmediate(end);
      return more;
    },
  );
  expect(await slow).toEqual({ finished: false });
  const answered = within(
    5,
    () => more.then(() => 7),
    () => new Promise(() => {}),
  );
  expect(await answered).toEqual({ finished: true, value: 7 });
});

test('work that fails before it has begun fails, and leaves no timer', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const failing = within(60_000, () => {
    throw new Error('broken');
  });
  await expect(failing).rejects.toThrow('broken');
  expect(timers()).toBe(before);
});

test('work that fails in time fails', async () => {
  await expect(within(1_000, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});
