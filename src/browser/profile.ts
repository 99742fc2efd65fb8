import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../process/own-folder.ts';

const PREFERENCES = {
  // Chromium guesses what a user may want next and opens connections for it: requests that neither page nor agent made.
  net: { network_prediction_options: 2 },
  // Its viewer of PDFs is a page of the browser's own, and who is attached to that opens any file of this machine in a tab.
  plugins: { always_open_pdf_externally: true },
};

export function makeProfile(): string {
  const profile = makeFolder('profile');
  mkdirSync(path.join(profile, 'Default'));
  writeFileSync(path.join(profile, 'Default', 'Preferences'), JSON.stringify(PREFERENCES));
  return profile;
}
