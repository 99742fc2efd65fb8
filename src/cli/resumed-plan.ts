import type { CampaignFile } from '../plan/campaign-file.ts';
import { type PlannedTask, plannedTasks } from '../plan/plan.ts';
import { canonicalJson } from '../contract/canonical.ts';
import { taskName } from '../task/instance.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { builtInProfiles, readFaultProfiles } from './fault-profiles.ts';
import { resumeLine } from './paste.ts';
import { sourcesOf } from './resumed-suites.ts';
import { UsageError } from './exit-code.ts';

/** Suites on this machine, and options on the command line, that a plan is held to. */
interface Here {
  suites: readonly LoadedSuite[];
  live: boolean;
  /** Profiles, built in or files. */
  faults: readonly string[];
}

/**
 * A bundle may be a stranger's, and its plan says where a browser goes, as whom, what is done there and what goes wrong. So all
 * of that has to be what suites and profiles have here, and the live web is asked for again.
 * @throws UsageError naming the first thing that is not.
 */
export async function refuseOtherPlan(bundle: string, campaign: CampaignFile, here: Here): Promise<void> {
  refuseOtherWeb(bundle, campaign, here.live);
  await refuseOtherTasks(campaign.plan.tasks, here.suites);
  await refuseOtherFaults(bundle, campaign, here.faults);
}

function refuseOtherWeb(bundle: string, campaign: CampaignFile, live: boolean): void {
  if (campaign.plan.live === live) return;
  if (live) throw new UsageError('the campaign does not run on the live web', 'leave out --live-web');
  throw new UsageError(
    'the campaign runs on the live web, which a bundle may not open by itself',
    `if you mean to, ask for it again: ${resumeLine(bundle, sourcesOf(campaign))}`,
  );
}

async function refuseOtherTasks(planned: readonly PlannedTask[], suites: readonly LoadedSuite[]): Promise<void> {
  const known = new Map((await plannedTasks(suites, null)).map((each) => [nameIn(each), each]));
  const remedy =
    'restore the files of the suite, or start a new campaign; do not trust a bundle that arrived like this';
  for (const { fault: _fault, ...each } of planned) {
    const now = known.get(nameIn(each));
    if (now === undefined)
      throw new UsageError(`the plan has a task ${nameIn(each)} that its suite does not have`, remedy);
    const fields = [...differing(each.task, now.task), ...differing(each, now)];
    const what = fields.filter((field) => field !== 'task').join(', ');
    if (what !== '') throw new UsageError(`${nameIn(each)} has another ${what} in the plan than in its suite`, remedy);
  }
}

async function refuseOtherFaults(bundle: string, campaign: CampaignFile, named: readonly string[]): Promise<void> {
  const planned = campaign.plan.tasks.filter(({ fault }) => fault !== undefined);
  if (planned.length === 0) return;
  const laid = (await readFaultProfiles([...builtInProfiles(), ...named])).map(canonicalJson);
  for (const { fault, task, ...each } of planned) {
    if (fault === undefined) continue;
    if ([...(task.faults ?? []).map(canonicalJson), ...laid].includes(canonicalJson(fault))) continue;
    throw new UsageError(
      `the plan has a fault "${fault.id}" in ${nameIn({ task, ...each })} that neither that task nor a built-in profile has`,
      `if you trust the profile, name its file again: ${resumeLine(bundle, sourcesOf(campaign))} --fault <file>`,
    );
  }
}

function nameIn({ suite, task }: Pick<PlannedTask, 'suite' | 'task'>): string {
  return `${suite}/${taskName(task)}`;
}

/** The fields of two records that do not hold the same. */
function differing(one: object, other: object): string[] {
  const [was, is] = [fieldsOf(one), fieldsOf(other)];
  return [...new Set([...is.keys(), ...was.keys()])].filter((name) => was.get(name) !== is.get(name));
}

function fieldsOf(record: object): Map<string, string> {
  const fields = Object.entries(record).filter(([, value]) => value !== undefined);
  return new Map(fields.map(([name, value]) => [name, canonicalJson(value)]));
}
