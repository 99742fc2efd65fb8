import { expect, test } from 'vitest';
import { committedBundles, packedBundle, smallBundles } from '../../scripts/draw-bundles.ts';
import { touchstone } from '../cli/touchstone.ts';
import { CASES, unnamedChanges } from './mutate-often.ts';

const MADE_IN_ALL = 1_000;
const TIMES = Math.ceil(MADE_IN_ALL / CASES.length);

test.each(CASES)(`each of ${TIMES} times verify names the change: $kind in $bundle`, async (each) => {
  expect(await unnamedChanges(each, TIMES)).toEqual([]);
});

test.each(committedBundles().filter((name) => !smallBundles().includes(name)))(
  'the large bundle %s verifies, and agrees by the current contracts of its suite',
  async (name) => {
    expect((await touchstone('verify', packedBundle(name))).exit).toBe(0);
    const suite = name === 'faults' ? 'stress' : name;
    const { exit, out } = await touchstone('rejudge', packedBundle(name), suite, '--json');
    expect(JSON.parse(out)).toMatchObject({ contracts_changed: [], tasks_gone: [], differing: [] });
    expect(exit).toBe(0);
  },
);
