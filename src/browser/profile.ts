import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PREFIX = 'touchstone-profile-';

// Chromium guesses what a user may want next and opens connections for it: requests that neither page nor agent made.
const PREFERENCES = { net: { network_prediction_options: 2 } };

/** Makes a fresh profile folder; its name holds our process id, so that a later run can tell whether it is still needed. */
export function makeProfile(): string {
  const profile = mkdtempSync(path.join(tmpdir(), `${PREFIX}${process.pid}-`));
  mkdirSync(path.join(profile, 'Default'));
  writeFileSync(path.join(profile, 'Default', 'Preferences'), JSON.stringify(PREFERENCES));
  return profile;
}

/**
 * Removes a profile. A helper process of Chromium may still write to it for a moment, hence the retries; what cannot
 * be removed now is swept by a later run.
 */
export function removeProfile(profile: string): void {
  try {
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  } catch {
    // It belongs to someone else, or is being written to.
  }
}

/** Removes the profiles that killed runs have left behind. */
export function sweepProfiles(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = Number(/^touchstone-profile-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
    if (!Number.isNaN(owner) && !isRunning(owner)) removeProfile(path.join(tmpdir(), name));
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
