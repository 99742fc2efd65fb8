import type { Row } from '../bundle/row.ts';
import type { CampaignFile } from '../campaign/campaign-file.ts';
import { episodeCount } from '../campaign/plan.ts';
import type { PlannedTask } from '../campaign/plan.ts';
import type { ClaimFacts, TaskFacts } from '../claim/eligibility.ts';
import { cellOf } from '../claim/group.ts';
import { instanceName, taskName } from '../task/instance.ts';
import { restsOnDomAlone } from './rests-on-dom.ts';

/** What claims about a campaign follow from. `verified`: whether its bundle holds; null when nobody has looked. */
export function claimFacts({ plan, pins }: CampaignFile, rows: readonly Row[], verified: boolean | null): ClaimFacts {
  return {
    rows,
    tasks: new Map(plan.tasks.map((planned) => [cellOf(cellNames(planned)), taskFacts(planned, pins)])),
    plan: { entrants: plan.entrants, episodes_each: episodeCount({ ...plan, entrants: [null] }) },
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
