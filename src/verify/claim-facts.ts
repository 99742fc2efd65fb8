import type { CampaignFile } from '../plan/campaign-file.ts';
import { faultFreeTasks, episodeCount, type PlannedTask } from '../plan/plan.ts';
import { passingControls, waiversIn } from '../plan/task-qualification.ts';
import type { FactsByAxis } from '../claim/claims.ts';
import type { TaskFacts } from '../claim/claim-facts.ts';
import type { FiguredRow } from '../claim/figured-row.ts';
import { cellOf, those } from '../claim/group.ts';
import { whoReachedOthers } from '../claim/kept-apart.ts';
import { isFaultFree, faultyRows } from '../claim/faulty-rows.ts';
import { instanceName, taskName } from '../task/instance.ts';
import { restsOnDomAlone } from './rests-on-dom.ts';

/**
 * The facts that claims about a campaign follow from, by axis: recovery is another figure than success.
 * `verified`: whether its bundle holds; null when nobody has looked.
 */
export function claimFacts(
  { plan, pins, parts }: Pick<CampaignFile, 'plan' | 'pins' | 'parts'>,
  rows: readonly FiguredRow[],
  verified: boolean | null,
): FactsByAxis {
  const faultFree = faultFreeTasks(plan);
  const faulty = plan.tasks.filter(({ fault }) => fault !== undefined);
  const signedIn = faultFree.filter(({ task }) => task.auth !== undefined);
  const tasks = new Map(faultFree.map((planned) => [cellOf(cellNames(planned)), taskFacts(planned, pins)]));
  const reaching = whoReachedOthers(rows);
  const merged = parts === undefined ? {} : { merged: { parts: parts.length, iterations: plan.iterations } };
  const factsOf = (planned: PlannedTask[], own: readonly FiguredRow[], idle: readonly FiguredRow[]) => ({
    rows: own,
    voided: idle,
    oneSided: [],
    reaching,
    tasks,
    plan: {
      entrants: plan.entrants,
      episodes_each: episodeCount({ ...plan, tasks: planned, entrants: [null] }),
      ...merged,
    },
    pins: { bench_commit: pins.bench_commit, bench_dirty: pins.bench_dirty, models: pins.models },
    verified,
  });
  const behindLogin = new Set(signedIn.map((planned) => cellOf(cellNames(planned))));
  const { counted, voided } = faultyRows(rows);
  const faultFreeRows = those(rows, isFaultFree);
  return {
    task_completion: factsOf(faultFree, faultFreeRows, []),
    fault_recovery: faulty.length === 0 ? null : factsOf(faulty, counted, voided),
    authentication:
      signedIn.length === 0
        ? null
        : factsOf(
            signedIn,
            faultFreeRows.filter((row) => behindLogin.has(cellOf(row))),
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
    trivial_by: proof === undefined ? [] : passingControls(proof),
    perturbed: { judged: proof?.perturbed.judged ?? 0, passed: proof?.perturbed.false_passes.length ?? 0 },
    waivers: proof === undefined ? [] : waiversIn(proof),
  };
}
