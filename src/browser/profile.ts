import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../process/own-folder.ts';

// Chromium guesses what a user may want next and opens connections for it: requests that neither page nor agent made.
const PREFERENCES = { net: { network_prediction_options: 2 } };

/** Makes a fresh profile folder. */
export function makeProfile(): string {
  const profile = makeFolder('profile');
  mkdirSync(path.join(profile, 'Default'));
  writeFileSync(path.join(profile, 'Default', 'Preferences'), JSON.stringify(PREFERENCES));
  return profile;
}
