import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const SUITE_FILES = ['suite.yaml', 'suite.yml', 'suite.json'];
/** Files by which a folder is known to hold contracts: those of a bundle or a suite. */
export const CONTRACT_MARKS = ['campaign.json', ...SUITE_FILES];

export function suiteFileIn(folder: string): string | null {
  return SUITE_FILES.map((name) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}
