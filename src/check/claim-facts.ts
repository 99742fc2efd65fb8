import type { CampaignFile } from '../campaign/campaign-file.ts';
import { episodeCount } from '../campaign/plan.ts';
import type { PlannedTask } from '../campaign/plan.ts';
import type { ClaimFacts, TaskFacts } from '../claim/eligibility.ts';
import type { FiguredRow } from '../claim/figured-row.ts';
import { cellOf } from '../claim/group.ts';
import { isCalm } from '../claim/stress.ts';
import { instanceName, taskName } from '../task/instance.ts';
import { restsOnDomAlone } from './rests-on-dom.ts';

/** What claims about a campaign follow from. `verified`: whether its bundle holds; null when nobody has looked. */
export function claimFacts(
  { plan, pins }: CampaignFile,
  rows: readonly FiguredRow[],
  verified: boolean | null,
): ClaimFacts {
  const calm = plan.tasks.filter(({ fault }) => fault === undefined);
  return {
    // What somebody recovers from is another figure than what they achieve.
    rows: rows.filter(isCalm),
    tasks: new Map(calm.map((planned) => [cellOf(cellNames(planned)), taskFacts(planned, pins)])),
    plan: { entrants: plan.entrants, episodes_each: episodeCount({ ...plan, tasks: calm, entrants: [null] }) },
    pins: { bench_commit: pins.bench_commit, bench_dirty: pins.bench_dirty, models: pins.models },
    verified,
  };
}

function cellNames({ suite, task }: PlannedTask): { suite: string; task: string; instance: string } {
  return { suite, task: task.id, instance: instanceName(task) };
}

function taskFacts({ suite, task }: PlannedTask, { qualifications }: CampaignFile['pins']): TaskFacts {
  const name = `${suite}/${taskName(task)}`;
  const proof = Object.hasOwn(qualifications, name) ? qualifications[name] : undefined;
  return {
    rests_on_dom_alone: restsOnDomAlone(task.success),
    trivial: proof?.verdict === 'trivial',
    waivers: proof?.waivers ?? [],
  };
}
