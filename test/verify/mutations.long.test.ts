import { expect, test } from 'vitest';
import { CASES, unnamedChanges } from './mutate-often.ts';

const MADE_IN_ALL = 1_000;
const TIMES = Math.ceil(MADE_IN_ALL / CASES.length);

test.each(CASES)(`each of ${TIMES} times verify names the change: $kind in $bundle`, async (each) => {
  expect(await unnamedChanges(each, TIMES)).toEqual([]);
});
