import type { CampaignFile } from '../plan/campaign-file.ts';
import type { Entrants } from '../plan/entrants.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { resumeLine, type Sources } from './paste.ts';
import { builtInSuites } from './suites.ts';
import { UsageError } from './exit-code.ts';

/**
 * The suites that a resumed campaign is loaded from: the built-in ones that it had, and those that are named again.
 * To load a suite runs its code, so a path is never taken from a bundle, which may be a stranger's.
 * @throws UsageError when the campaign had suites that are not built in and none is named again.
 */
export function suitesToResume(bundle: string, sources: Sources, namedAgain: readonly string[]): string[] {
  const known = builtInSuites();
  const { suiteNames: ran } = sources;
  const others = ran.filter((name) => !known.includes(name));
  if (others.length > 0 && namedAgain.length === 0) {
    throw new UsageError(
      `the campaign ran ${quoted(others)}, which is not built in, and a bundle may not say what code to load`,
      `if you trust that code, name it again: ${resumeLine(bundle, sources)}`,
    );
  }
  return [...new Set([...ran.filter((name) => known.includes(name)), ...namedAgain])];
}

/** @throws UsageError unless the suites are those that the campaign ran, by their ids. What is in them, its pins say. */
export function refuseOtherSuites(bundle: string, campaign: CampaignFile, suites: readonly LoadedSuite[]): void {
  const { plan, pins } = campaign;
  const ran = new Set([...plan.tasks.map(({ suite }) => suite), ...Object.keys(pins.app_hashes)]);
  const loaded = new Set(suites.map(({ id }) => id));
  const missing = [...ran].filter((id) => !loaded.has(id));
  if (missing.length > 0) {
    throw new UsageError(
      `the campaign ran the suite ${quoted(missing)}, which is not among those named`,
      `if you trust its code, name every suite again: ${resumeLine(bundle, sourcesOf(campaign))}`,
    );
  }
  const strange = [...loaded].filter((id) => !ran.has(id));
  if (strange.length > 0) {
    throw new UsageError(`the campaign did not run the suite ${quoted(strange)}`, 'leave it out');
  }
}

/**
 * The files of tool servers name programs, so none is taken from a bundle either.
 * @throws UsageError unless the files that are named describe the surfaces that the campaign had from files.
 */
export function refuseOtherEntrants(bundle: string, campaign: CampaignFile, entrants: Entrants): void {
  const ran = Object.keys(campaign.pins.entrant_hashes);
  const missing = ran.filter((id) => !(id in entrants.fileHashes));
  if (missing.length > 0) {
    throw new UsageError(
      `the campaign ran ${quoted(missing)} from a file, and a bundle may not say what to start`,
      `if you trust that file, name it again: ${resumeLine(bundle, sourcesOf(campaign))}`,
    );
  }
  const strange = Object.keys(entrants.fileHashes).filter((id) => !ran.includes(id));
  if (strange.length > 0) throw new UsageError(`the campaign did not run ${quoted(strange)}`, 'leave the file out');
}

export function sourcesOf({ suites, entrant_files: entrantFiles, plan: { live } }: CampaignFile): Sources {
  return { suiteNames: suites, entrantFiles, live };
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}
