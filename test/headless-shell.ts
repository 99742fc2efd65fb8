import { findBrowser } from '../src/browser/find.ts';

/** Variables by which tests start the headless shell, at two thirds of the cost of full Chromium; none where it is missing, and full Chromium is started. */
export function headlessShell(): Record<string, string> {
  const shell = findBrowser('shell');
  return shell === null ? {} : { TOUCHSTONE_BROWSER: shell.path };
}
