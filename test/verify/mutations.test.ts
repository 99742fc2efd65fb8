import { expect, test } from 'vitest';
import { touchstone } from '../cli/touchstone.ts';
import { smallBundles, packedBundle } from '../../scripts/draw-bundles.ts';
import { CASES, unnamedChanges } from './mutate-often.ts';

/** Changes of each kind; `mutations.long.test.ts` makes a thousand, in all bundles. */
const TIMES = 2;

test.each(CASES.filter(({ bundle }) => bundle === 'account'))(
  `each of ${TIMES} times verify names the change: $kind in $bundle`,
  async (each) => {
    expect(await unnamedChanges(each, TIMES)).toEqual([]);
  },
);

test.each(smallBundles())('untouched, %s verifies', async (bundle) => {
  const { exit, out } = await touchstone('verify', packedBundle(bundle));
  expect(out).toMatch(/^holds: \d+ episodes\nconsistent /);
  expect(exit).toBe(0);
});
