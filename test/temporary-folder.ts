import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder for the running test, gone when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-test-'));
  // A browser that has just ended may write a last file into its profile.
  onTestFinished(async () => rm(folder, { recursive: true, force: true, maxRetries: 8, retryDelay: 50 }));
  return folder;
}
