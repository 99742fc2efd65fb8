import { exemplarHashes } from '../plan/plan-campaign.ts';
import { type Plan, type PlannedTask, plannedName } from '../plan/plan.ts';
import { canonicalJson } from '../contract/canonical.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import type { Task } from '../task/schema.ts';

type Tasks = ReadonlyMap<string, { task: Task; classes: PlannedTask['screenshot_classes'] }>;

/** The current contracts of tasks, which may differ from those of the plan. */
export class ContractsNow {
  readonly #tasks: Tasks;
  readonly changed: string[];
  /** Tasks of the plan that the suites no longer have, and that keep the plan's contract. */
  readonly gone: string[];

  private constructor(plan: Plan, tasks: Tasks) {
    this.#tasks = tasks;
    const names = (of: (planned: PlannedTask) => boolean): string[] => [
      ...new Set(plan.tasks.filter(of).map(plannedName)),
    ];
    this.gone = names((planned) => !tasks.has(plannedName(planned)));
    this.changed = names((planned) => judged(planned) !== judged(this.judgedBy(planned)));
  }

  static async of(plan: Plan, suites: readonly LoadedSuite[]): Promise<ContractsNow> {
    const tasks = new Map<string, { task: Task; classes: PlannedTask['screenshot_classes'] }>();
    for (const suite of suites) {
      for (const { task } of suite.tasks) {
        tasks.set(plannedName({ suite: suite.id, task }), { task, classes: await exemplarHashes(suite, task) });
      }
    }
    return new ContractsNow(plan, tasks);
  }

  judgedBy(planned: PlannedTask): PlannedTask {
    const now = this.#tasks.get(plannedName(planned));
    if (now === undefined) return planned;
    const { guards: _planned, ...rest } = planned.task;
    const { success, guards } = now.task;
    const task = { ...rest, success, ...(guards === undefined ? {} : { guards }) };
    return { ...planned, task, screenshot_classes: now.classes };
  }
}

function judged({ task: { success, guards }, screenshot_classes: classes }: PlannedTask): string {
  return canonicalJson({ success, guards: guards ?? null, classes });
}
