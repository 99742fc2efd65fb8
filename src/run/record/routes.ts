import type { Status } from '../../contract/status.ts';
import type { Intent } from '../../task/intent.ts';
import { taskName } from '../../task/instance.ts';
import type { Task } from '../../task/schema.ts';
import { routeName } from '../../world/archive/route-name.ts';

/** A way through a task that is walked while the web is recorded. */
export interface Route {
  /** The owner of what it meets in the archive, for example `send (near-miss 1)`. */
  page: string;
  steps: readonly Intent[];
  /** The status in which it must end for the task to be provable on the archive. */
  expected: Extract<Status, 'passed' | 'failed'>;
}

/** The routes of a task that trials of it take: its solutions on the page, the first of them first, and its near-misses. */
export function routesOf(task: Task): Route[] {
  const name = taskName(task);
  const solutions = (task.solutions ?? []).filter((each) => each.for === 'page');
  return [
    ...solutions.map(({ steps }, index): Route => {
      const page = routeName(name, index === 0 ? null : `solution ${index + 1}`);
      return { page, steps, expected: 'passed' };
    }),
    ...(task.nearMisses ?? []).map(({ steps }, index): Route => {
      return { page: routeName(name, `near-miss ${index + 1}`), steps, expected: 'failed' };
    }),
  ];
}
