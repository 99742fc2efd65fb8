import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Makes the folder that committed bundles are unpacked into, once for all workers of a run, and removes it in the end. */
export default function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-test-'));
  process.env['TOUCHSTONE_TEST_BUNDLES'] = folder;
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}
