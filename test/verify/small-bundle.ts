import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll } from 'vitest';
import { type LargeBundle, makeLargeBundle } from '../../bench/large-bundle.ts';
import { touchstone } from '../cli/touchstone.ts';

/**
 * A few episodes of a committed bundle as a bundle of their own, for all tests of a file: what is copied and verified for each
 * forgery has a tenth of the files. Returns its folder.
 */
export function smallBundle(part: Pick<LargeBundle, 'source' | 'agents' | 'surfaces' | 'tasks'>): () => string {
  let bundle = '';
  beforeAll(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-test-'));
    bundle = path.join(folder, 'bundle');
    await mkdir(bundle);
    await makeLargeBundle({ ...part, folder: bundle, episodes: 1 });
    await touchstone('report', bundle);
    const { exit, out } = await touchstone('verify', bundle);
    if (exit !== 0) throw new Error(`the small bundle does not hold to begin with: ${out}`);
    return async () => rm(folder, { recursive: true });
  });
  return () => bundle;
}
