import { findingLine } from './bundles.ts';
import { fact, messageFor } from '../messages/messages.ts';
import { randomInt } from 'node:crypto';
import { createRedactor, secretsFromEnvironment } from '../bundle/redact.ts';
import { Entrants } from '../plan/entrants.ts';
import { type Rerun, rerun, type RerunOptions } from '../rerun/rerun.ts';
import { makeFolder, removeFolder } from '../process/own-folder.ts';
import { stopOnInterruption } from './interruption.ts';
import { environmentWithFile } from './model-setup.ts';
import { ProgressPrinter } from './progress-printer.ts';
import { builtInSuites, loadSuites } from './suites.ts';
import { noteInterruption, type Terminal } from './terminal.ts';
import { UsageError } from './exit-code.ts';

export interface PartToRerun {
  share: number;
  /** Random by default, so that the part cannot be predicted. */
  seed: number | undefined;
  /** Suites that are not built in; a bundle may not name them, since loading one runs its code. */
  suiteNames: readonly string[];
}

/** Runs a part of a verified bundle again, and shows its progress. */
export async function rerunPart(
  { campaign, rows }: Pick<RerunOptions, 'campaign' | 'rows'>,
  { share, seed = randomInt(2 ** 31), suiteNames }: PartToRerun,
  terminal: Terminal,
): Promise<Rerun> {
  const known = builtInSuites();
  const names = [...new Set([...campaign.suites.filter((name) => known.includes(name)), ...suiteNames])];
  const suites = await loadSuites(names, terminal);
  const strange = suites.find(({ id }) => !Object.hasOwn(campaign.pins.app_hashes, id));
  if (strange !== undefined) throw new UsageError(fact('suite_not_in_campaign', { suites: `"${strange.id}"` }));
  const entrants = await Entrants.load();
  const folder = makeFolder('rerun');
  using stop = stopOnInterruption(() => {
    noteInterruption(terminal, 'stopping after this episode; interrupt again to stop at once');
  });
  try {
    return await rerun({
      campaign,
      rows,
      share,
      seed,
      suites,
      entrants,
      folder,
      redactor: createRedactor(secretsFromEnvironment(environmentWithFile('.', process.env), entrants.secrets)),
      listener: new ProgressPrinter(terminal, { verbose: false, plan: campaign.plan }),
      signal: stop.signal,
    });
  } finally {
    removeFolder(folder);
  }
}

export function rerunLines(again: Rerun): string[] {
  const { differences, drawn, can, share, seed, same, why_not: whyNot, outcome_hash: hashes } = again;
  return [
    ...differences.map(findingLine),
    `run again   ${same} of ${drawn} had the same result; ${Number((share * 100).toFixed(4))} % of the ${can} that can be run again were drawn, with --seed ${seed}`,
    ...again.cannot.map(({ why, episodes }) => `not again   ${episodes}: ${messageFor(why)}`),
    ...again.elsewhere.map((each) => `elsewhere   ${each}`),
    ...(hashes === null ? [] : [`outcome     ${hashes.recorded} of this part, and ${hashes.again} when run again`]),
    ...(again.reproduced ? [] : [`not reproduced: ${whyNot.map(messageFor).join('; ')}`]),
  ];
}
