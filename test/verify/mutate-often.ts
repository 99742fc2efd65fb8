import path from 'node:path';
import { seededRandom } from '../../src/stats/resampling.ts';
import { committedBundle } from '../committed-bundle.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { findingLine } from '../../src/cli/bundles.ts';
import { BundleCopy } from './bundle-copy.ts';
import { MUTATIONS } from './mutations.ts';
import { smallBundles } from '../../scripts/draw-bundles.ts';

export const CASES = smallBundles().flatMap((bundle) =>
  Object.entries(MUTATIONS).map(([kind, mutate]) => ({ bundle, kind, mutate })),
);

/** Changes a copy of a bundle this often, each time separately, and returns the changes that `verify` does not name. */
export async function unnamedChanges({ bundle, kind, mutate }: (typeof CASES)[number], times: number) {
  const copy = await BundleCopy.of(await committedBundle(bundle), path.join(await temporaryFolder(), 'bundle'));
  const random = seededRandom(kind.length + bundle.length);
  const unnamed: { changed: string[]; said: string }[] = [];
  for (let made = 0; made < times;) {
    const changed = await mutate(copy, random);
    if (changed === null) continue;
    made += 1;
    const finding = await copy.firstFinding(changed);
    const said = finding === null ? '' : findingLine(finding);
    // A missing file may be reported by its folder, and a copied one by the name of the original.
    const names = [...changed.keys()].map((file) => file.replace(/\.br$/, ''));
    if (finding === null || !names.some((name) => said.includes(name))) unnamed.push({ changed: names, said });
  }
  return unnamed;
}
