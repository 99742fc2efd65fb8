import { expect, test } from 'vitest';
import { aimedAt, CASES } from './target-cases.ts';

test.each(CASES)('%s: %s %j', async (...aim) => {
  const [expected] = aim;
  const outcome = { aimed: expected, ok: expected === 'resolved', isDoneThoughRefused: false };
  expect(await aimedAt(...aim)).toEqual(outcome);
});
