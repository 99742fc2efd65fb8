import { type Plan, type PlannedEpisode, type PlannedTask } from '../../src/campaign/plan.ts';
import { contractHash, taskHash, Task } from '../../src/task/schema.ts';
import { episodeIdOf } from '../bundle/bundle-of-rows.ts';
import { SAMPLE } from '../task/sample-task.ts';

const task = Task.parse(SAMPLE);
const planned: PlannedTask = {
  suite: 'basics',
  task,
  task_hash: taskHash(task),
  contract_hash: contractHash(task),
  screenshot_classes: {},
};

/** A plan of one task and one entrant. */
export const SMALL_PLAN: Plan = {
  schema_version: 1,
  tasks: [planned],
  entrants: [{ agent: 'reference', surface: 'aria' }],
  iterations: 1,
  seed: 1,
  max_steps: null,
  isolation: 'context',
  browser_kind: 'full',
  live: false,
  settle_ms: 300,
  max_attempts: 3,
};

/** The episode whose rows `rowOf` of `bundle-of-rows.ts` makes. */
export function plannedEpisode(planIndex: number): PlannedEpisode {
  return {
    episodeId: episodeIdOf(planIndex),
    planIndex,
    iteration: planIndex,
    planned,
    agent: 'null',
    surface: 'aria',
  };
}
