import type { CampaignFile } from '../plan/campaign-file.ts';
import { calmTasks, episodeCount, type PlannedTask } from '../plan/plan.ts';
import { waiversIn } from '../plan/task-qualification.ts';
import type { FactsByAxis } from '../claim/claims.ts';
import type { TaskFacts } from '../claim/claim-facts.ts';
import type { FiguredRow } from '../claim/figured-row.ts';
import { cellOf, those } from '../claim/group.ts';
import { isCalm, struckRows } from '../claim/struck-rows.ts';
import { instanceName, taskName } from '../task/instance.ts';
import { restsOnDomAlone } from './rests-on-dom.ts';

/**
 * What claims about a campaign follow from, by axis: what somebody recovers from is another figure than what they achieve.
 * `verified`: whether its bundle holds; null when nobody has looked.
 */
export function claimFacts(
  { plan, pins }: CampaignFile,
  rows: readonly FiguredRow[],
  verified: boolean | null,
): FactsByAxis {
  const calm = calmTasks(plan);
  const struck = plan.tasks.filter(({ fault }) => fault !== undefined);
  const signedIn = calm.filter(({ task }) => task.auth !== undefined);
  const tasks = new Map(calm.map((planned) => [cellOf(cellNames(planned)), taskFacts(planned, pins)]));
  const factsOf = (planned: PlannedTask[], own: readonly FiguredRow[], idle: readonly FiguredRow[]) => ({
    rows: own,
    voided: idle,
    oneSided: [],
    tasks,
    plan: { entrants: plan.entrants, episodes_each: episodeCount({ ...plan, tasks: planned, entrants: [null] }) },
    pins: { bench_commit: pins.bench_commit, bench_dirty: pins.bench_dirty, models: pins.models },
    verified,
  });
  const behindLogin = new Set(signedIn.map((planned) => cellOf(cellNames(planned))));
  const { counted, voided } = struckRows(rows);
  const calmRows = those(rows, isCalm);
  return {
    task_completion: factsOf(calm, calmRows, []),
    fault_recovery: struck.length === 0 ? null : factsOf(struck, counted, voided),
    authentication:
      signedIn.length === 0
        ? null
        : factsOf(
            signedIn,
            calmRows.filter((row) => behindLogin.has(cellOf(row))),
            [],
          ),
  };
}

function cellNames({ suite, task }: PlannedTask): { suite: string; task: string; instance: string } {
  return { suite, task: task.id, instance: instanceName(task) };
}

function taskFacts(
  { suite, task, least_repetitions: least = 0 }: PlannedTask,
  { qualifications }: CampaignFile['pins'],
): TaskFacts {
  const name = `${suite}/${taskName(task)}`;
  const proof = Object.hasOwn(qualifications, name) ? qualifications[name] : undefined;
  return {
    rests_on_dom_alone: restsOnDomAlone(task.success),
    least_repetitions: least,
    trivial: proof?.verdict === 'trivial',
    perturbed: { judged: proof?.perturbed.judged ?? 0, passed: proof?.perturbed.false_passes.length ?? 0 },
    waivers: proof === undefined ? [] : waiversIn(proof),
  };
}
