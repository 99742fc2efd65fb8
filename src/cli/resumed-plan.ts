import { fact } from '../messages/messages.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { type PlannedTask, plannedName } from '../plan/plan.ts';
import { plannedTasks } from '../plan/plan-campaign.ts';
import { canonicalJson } from '../contract/canonical.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { builtInProfiles, readFaultProfiles } from './built-in-files.ts';
import { resumeLine, type Sources } from './paste.ts';
import { UsageError } from './exit-code.ts';
import type { Entrants } from '../plan/entrants.ts';
import { builtInSuites } from './suites.ts';

/** Suites on this machine, and options, that a plan must match. */
interface Here {
  suites: readonly LoadedSuite[];
  live: boolean;
  /** Names of profiles, or files. */
  faults: readonly string[];
}

/**
 * Refuses an untrusted plan whose tasks and faults are not those of suites and profiles here: it decides where a browser goes and
 * what is done there. The live web must be named again.
 * @throws UsageError for the first difference
 */
export async function refuseOtherPlan(bundle: string, campaign: CampaignFile, here: Here): Promise<void> {
  refuseOtherWeb(bundle, campaign, here.live);
  await refuseOtherTasks(campaign.plan.tasks, here.suites);
  await refuseOtherFaults(bundle, campaign, here.faults);
}

function refuseOtherWeb(bundle: string, campaign: CampaignFile, live: boolean): void {
  if (campaign.plan.live === live) return;
  if (live) throw new UsageError(fact('plan_not_live'));
  throw new UsageError(fact('plan_is_live', { line: resumeLine(bundle, sourcesOf(campaign)) }));
}

async function refuseOtherTasks(planned: readonly PlannedTask[], suites: readonly LoadedSuite[]): Promise<void> {
  const known = new Map((await plannedTasks(suites, null)).map((each) => [plannedName(each), each]));
  for (const { fault: _fault, ...each } of planned) {
    const now = known.get(plannedName(each));
    if (now === undefined) throw new UsageError(fact('plan_has_other_task', { task: plannedName(each) }));
    const fields = [...differing(each.task, now.task), ...differing(each, now)];
    const what = fields.filter((field) => field !== 'task').join(', ');
    if (what !== '') throw new UsageError(fact('plan_has_other_fields', { task: plannedName(each), fields: what }));
  }
}

async function refuseOtherFaults(bundle: string, campaign: CampaignFile, named: readonly string[]): Promise<void> {
  const planned = campaign.plan.tasks.filter(({ fault }) => fault !== undefined);
  if (planned.length === 0) return;
  const laid = (await readFaultProfiles([...builtInProfiles(), ...named])).map(canonicalJson);
  for (const { fault, task, ...each } of planned) {
    if (fault === undefined) continue;
    if ([...(task.faults ?? []).map(canonicalJson), ...laid].includes(canonicalJson(fault))) continue;
    const line = resumeLine(bundle, sourcesOf(campaign));
    throw new UsageError(fact('plan_has_other_fault', { fault: fault.id, task: plannedName({ task, ...each }), line }));
  }
}

function differing(one: object, other: object): string[] {
  const [was, is] = [fieldsOf(one), fieldsOf(other)];
  return [...new Set([...is.keys(), ...was.keys()])].filter((name) => was.get(name) !== is.get(name));
}

function fieldsOf(record: object): Map<string, string> {
  const fields = Object.entries(record).filter(([, value]) => value !== undefined);
  return new Map(fields.map(([name, value]) => [name, canonicalJson(value)]));
}

/**
 * Returns the suites of a resumed campaign: its built-in ones, and those that are named again. A bundle may not name a path, since
 * loading a suite runs its code.
 * @throws UsageError when a suite that is not built in is not named again
 */
export function suitesToResume(bundle: string, sources: Sources, namedAgain: readonly string[]): string[] {
  const known = builtInSuites();
  const { suiteNames: ran } = sources;
  const others = ran.filter((name) => !known.includes(name));
  if (others.length > 0 && namedAgain.length === 0) {
    const line = resumeLine(bundle, sources);
    throw new UsageError(fact('suite_not_built_in', { suites: quoted(others), line }));
  }
  return [...new Set([...ran.filter((name) => known.includes(name)), ...namedAgain])];
}

/** @throws UsageError unless the suites have the ids of the campaign's; pins compare their content */
export function refuseOtherSuites(bundle: string, campaign: CampaignFile, suites: readonly LoadedSuite[]): void {
  const { plan, pins } = campaign;
  const ran = new Set([...plan.tasks.map(({ suite }) => suite), ...Object.keys(pins.app_hashes)]);
  const loaded = new Set(suites.map(({ id }) => id));
  const missing = [...ran].filter((id) => !loaded.has(id));
  if (missing.length > 0) {
    const line = resumeLine(bundle, sourcesOf(campaign));
    throw new UsageError(fact('suite_not_named', { suites: quoted(missing), line }));
  }
  const strange = [...loaded].filter((id) => !ran.has(id));
  if (strange.length > 0) throw new UsageError(fact('not_in_campaign', { names: `the suite ${quoted(strange)}` }));
}

/**
 * Refuses other files of entrants than the campaign had. A bundle may not name them, since they name programs.
 * @throws UsageError
 */
export function refuseOtherEntrants(bundle: string, campaign: CampaignFile, entrants: Entrants): void {
  const ran = Object.keys(campaign.pins.entrant_hashes);
  const missing = ran.filter((id) => !(id in entrants.fileHashes));
  if (missing.length > 0) {
    const line = resumeLine(bundle, sourcesOf(campaign));
    throw new UsageError(fact('entrant_file_not_named', { names: quoted(missing), line }));
  }
  const strange = Object.keys(entrants.fileHashes).filter((id) => !ran.includes(id));
  if (strange.length > 0) throw new UsageError(fact('not_in_campaign', { names: quoted(strange) }));
}

export function sourcesOf({ suites, entrant_files: entrantFiles, plan: { live } }: CampaignFile): Sources {
  return { suiteNames: suites, entrantFiles, live };
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}
