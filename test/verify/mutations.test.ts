import path from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/stats/random.ts';
import { committedBundle } from '../committed-bundle.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from '../cli/touchstone.ts';
import { BundleCopy } from './bundle-copy.ts';
import { MUTATIONS } from './mutations.ts';
import { committedBundles, packedBundle } from '../../scripts/draw-bundles.ts';

const BUNDLES = committedBundles();
const MADE_IN_ALL = 1_000;
/** Of each kind, in each bundle. */
const TIMES = Math.ceil(MADE_IN_ALL / (BUNDLES.length * Object.keys(MUTATIONS).length));

const CASES = BUNDLES.flatMap((bundle) =>
  Object.entries(MUTATIONS).map(([kind, mutate]) => ({ bundle, kind, mutate })),
);

test.each(CASES)(
  `each of ${TIMES} times verify names what was changed: $kind in $bundle`,
  async ({ bundle, kind, mutate }) => {
    const copy = await BundleCopy.of(await committedBundle(bundle), path.join(await temporaryFolder(), 'bundle'));
    const random = seededRandom(kind.length + bundle.length);
    const unnamed: unknown[] = [];
    for (let made = 0; made < TIMES;) {
      const changed = await mutate(copy, random);
      if (changed === null) continue;
      made += 1;
      const finding = await copy.firstFinding(changed);
      const said = `${finding?.file}: ${finding?.problem}`;
      // What was taken away may be missed by its folder, and a copy by the name that it stands beside.
      const names = [...changed.keys()].map((file) => file.replace(/\.br$/, ''));
      if (finding === null || !names.some((name) => said.includes(name))) unnamed.push({ changed: names, said });
    }
    expect(unnamed).toEqual([]);
  },
);

test.each(BUNDLES)('untouched, %s holds', async (bundle) => {
  const { exit, out } = await touchstone('verify', packedBundle(bundle));
  expect(out).toMatch(/^holds: \d+ episodes\nconsistent /);
  expect(exit).toBe(0);
});
