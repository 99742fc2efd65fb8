import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { bundleLayout } from '../bundle/layout.ts';
import { readCountedRows } from '../bundle/sealed-rows.ts';
import { fact } from '../messages/messages.ts';
import { readCampaignFile } from '../plan/campaign-file.ts';
import { isControl } from '../report/roles.ts';
import { didNotPass } from '../report/sentence.ts';
import { UsageError } from './exit-code.ts';

/** Where runs leave their bundles by default. */
export const BUNDLES = 'bundles';
const MAX_NAMED = 5;

/**
 * Returns the folder of a bundle by its name: `latest`, which is the default; `-2` for the one before, and so on; or a path.
 * @throws UsageError when there are fewer, or the path does not exist and other bundles could be meant
 */
export function bundleNamed(name = 'latest'): string {
  if (existsSync(name)) return name;
  const back = name === 'latest' ? 1 : /^-[1-9]\d*$/.test(name) ? -Number(name) : null;
  const all = bundlesHere();
  if (back === null) {
    if (all.length === 0) return name;
    throw new UsageError(fact('no_such_bundle', { bundle: name, names: all.slice(0, MAX_NAMED) }));
  }
  const found = all[back - 1];
  if (found === undefined) throw new UsageError(fact('too_few_bundles', { count: all.length, folder: BUNDLES }));
  return found;
}

/** Whether a first argument names a bundle; else it may name an episode of the latest, whose name has no slash. */
export function namesBundle(name: string): boolean {
  return existsSync(name) || name === 'latest' || /^-\d+$|\/|\.zip$/.test(name) || bundlesHere().length === 0;
}

export type LastFailures = Awaited<ReturnType<typeof lastFailures>>;

/** The failures of the latest bundle, controls and baselines left out, and its suites and files of entrants as its run named them. */
export async function lastFailures() {
  const bundle = bundleNamed();
  const layout = bundleLayout(bundle);
  const { suites, entrant_files: files, pins } = await readCampaignFile(layout);
  const rows = await readCountedRows(layout);
  const failures = rows.filter((row) => !isControl(row) && didNotPass(row));
  return { bundle, suites, files, failures, isOfFile: (id: string) => id in pins.entrant_hashes };
}

/** The bundles in the default folder; the one that ran last is first. */
function bundlesHere(): string[] {
  const names = existsSync(BUNDLES) ? readdirSync(BUNDLES) : [];
  const found = names.flatMap((name) => {
    const folder = path.join(BUNDLES, name);
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
    const ledger = statSync(bundleLayout(folder).ledger, { throwIfNoEntry: false });
    return ledger === undefined ? [] : [{ folder, ranAt: ledger.mtimeMs }];
  });
  return found.toSorted((a, b) => b.ranAt - a.ranAt).map(({ folder }) => folder);
}
