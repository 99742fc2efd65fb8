import { access } from 'node:fs/promises';
import { join } from 'node:path';

/** The names that a suite's file may have. */
export const SUITE_FILES = ['suite.yaml', 'suite.yml', 'suite.json'];
/** The files by which a folder is known to hold contracts: a bundle by its plan, a suite by its own. */
export const CONTRACT_MARKS = ['campaign.json', ...SUITE_FILES];

/** The file of the suite in a folder; null where there is none. */
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
