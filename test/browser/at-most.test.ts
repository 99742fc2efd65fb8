import { expect, test } from 'vitest';
import { atMost } from '../../src/browser/at-most.ts';

async function underWay(most: number): Promise<number[][]> {
  const inTurn = atMost(most);
  const running = new Set<number>();
  const ends: (() => void)[] = [];
  const works = [0, 1, 2, 3].map((each) =>
    inTurn(async () => {
      running.add(each);
      await new Promise<void>((resolve) => {
        ends[each] = resolve;
      });
      running.delete(each);
    }),
  );
  const seen: number[][] = [];
  for (const [each, work] of works.entries()) {
    seen.push([...running]);
    ends[each]?.();
    await work;
  }
  seen.push([...running]);
  return seen;
}

test('no more than the limit run at once, in the order of arrival', async () => {
  expect(await underWay(2)).toEqual([[0, 1], [1, 2], [2, 3], [3], []]);
  expect(await underWay(4)).toEqual([[0, 1, 2, 3], [1, 2, 3], [2, 3], [3], []]);
});

test('failed work makes room for the next', async () => {
  const inTurn = atMost(1);
  await expect(inTurn(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(inTurn(() => Promise.resolve('next'))).resolves.toBe('next');
});
