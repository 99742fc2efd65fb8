import { expect, test } from 'vitest';
import { committedBundles, packedBundle, smallBundles } from '../../scripts/draw-bundles.ts';
import { touchstone } from '../cli/touchstone.ts';
import { CASES, unnamedChanges } from './mutate-often.ts';

/** The suites of bundles with other names. */
const SUITES: Readonly<Record<string, string>> = { faults: 'stress', 'web-again': 'web' };
const MADE_IN_ALL = 1_000;
const TIMES = Math.ceil(MADE_IN_ALL / CASES.length);

test.each(CASES)(`each of ${TIMES} times verify names the change: $kind in $bundle`, async (each) => {
  expect(await unnamedChanges(each, TIMES)).toEqual([]);
});

test.each(committedBundles().filter((name) => !smallBundles().includes(name)))(
  'the large bundle %s verifies, and agrees by the current contracts of its suite',
  async (name) => {
    expect((await touchstone('verify', packedBundle(name))).exit).toBe(0);
    const { exit, out } = await touchstone('rejudge', packedBundle(name), SUITES[name] ?? name, '--json');
    expect(JSON.parse(out)).toMatchObject({ contracts_changed: [], tasks_gone: [], differing: [] });
    expect(exit).toBe(0);
  },
);
