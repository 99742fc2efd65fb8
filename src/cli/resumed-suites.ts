import type { CampaignFile } from '../campaign/campaign-file.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { resumeLine } from './paste.ts';
import { builtInSuites } from './suites.ts';
import { UsageError } from './usage-error.ts';

/**
 * The suites that a resumed campaign is loaded from: the built-in ones that it had, and those that are named again.
 * To load a suite runs its code, so a path is never taken from a bundle, which may be a stranger's.
 * @throws UsageError when the campaign had suites that are not built in and none is named again.
 */
export function suitesToResume(bundle: string, ran: readonly string[], namedAgain: readonly string[]): string[] {
  const known = builtInSuites();
  const others = ran.filter((name) => !known.includes(name));
  if (others.length > 0 && namedAgain.length === 0) {
    throw new UsageError(
      `the campaign ran ${quoted(others)}, which is not built in, and a bundle may not say what code to load`,
      `if you trust that code, name it again: ${resumeLine(bundle, ran)}`,
    );
  }
  return [...new Set([...ran.filter((name) => known.includes(name)), ...namedAgain])];
}

/** @throws UsageError unless the suites are those that the campaign ran, by their ids. What is in them, its pins say. */
export function refuseOtherSuites(
  bundle: string,
  { plan, pins, suites: names }: CampaignFile,
  suites: readonly LoadedSuite[],
): void {
  const ran = new Set([...plan.tasks.map(({ suite }) => suite), ...Object.keys(pins.app_hashes)]);
  const loaded = new Set(suites.map(({ id }) => id));
  const missing = [...ran].filter((id) => !loaded.has(id));
  if (missing.length > 0) {
    throw new UsageError(
      `the campaign ran the suite ${quoted(missing)}, which is not among those that are named`,
      `if you trust its code, name every suite again: ${resumeLine(bundle, names)}`,
    );
  }
  const strange = [...loaded].filter((id) => !ran.has(id));
  if (strange.length > 0) {
    throw new UsageError(`the campaign did not run the suite ${quoted(strange)}`, 'leave it out');
  }
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}
