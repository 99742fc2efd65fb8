import type { Problem } from '../contract/problem.ts';
import type { FileProblem } from './file-problem.ts';
import type { PlacedTask } from './load-task.ts';
import { inFile } from './source.ts';
import type { Suite } from './suite.ts';

/** What only shows when a suite's tasks are seen together, in their world. */
export function suiteRuleProblems(suite: Suite, tasks: readonly PlacedTask[]): FileProblem[] {
  return tasks.flatMap((placed, index) =>
    inTask(placed, [...duplicateId(placed, tasks.slice(0, index)), ...unreachableStart(placed, suite)]),
  );
}

/** Problems of a task, placed in the file that it came from. */
export function inTask({ file, source, path }: PlacedTask, problems: readonly Problem[]): FileProblem[] {
  const inWholeFile = problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
  return inFile(file, source, inWholeFile);
}

function duplicateId({ task }: PlacedTask, earlier: readonly PlacedTask[]): Problem[] {
  const twin = earlier.find((other) => other.task.id === task.id);
  if (twin === undefined) return [];
  return [{ path: ['id'], message: `"${task.id}" is the id of a task in ${twin.file} too; give each task its own` }];
}

function unreachableStart({ task }: PlacedTask, { world }: Suite): Problem[] {
  if (task.startUrl === 'about:blank') return [];
  const origins = world.sites.map((site) => site.origin);
  if (origins.includes(new URL(task.startUrl).origin)) return [];
  return [{ path: ['startUrl'], message: `is on no site of the suite's world; start on ${origins.join(' or ')}` }];
}
