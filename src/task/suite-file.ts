import { access } from 'node:fs/promises';
import { join } from 'node:path';

export const SUITE_FILES = ['suite.yaml', 'suite.yml', 'suite.json'];
/** Files by which a folder is known to hold contracts: those of a bundle or a suite. */
export const CONTRACT_MARKS = ['campaign.json', ...SUITE_FILES];

export async function suiteFileIn(folder: string): Promise<string | null> {
  for (const name of SUITE_FILES) {
    const found = await access(join(folder, name)).then(
      () => true,
      () => false,
    );
    if (found) return join(folder, name);
  }
  return null;
}
