import type { Problem } from '../contract/problem.ts';
import type { Task, TaskInput } from './schema.ts';
import { formatPath } from './file-problem.ts';
import { validateTask } from './validate.ts';

/** A task that is not valid, with everything that is wrong with it. */
export class TaskError extends Error {
  override readonly name = 'TaskError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const lines = problems.map(({ path, message }) => `\n  ${formatPath(path) || 'task'}: ${message}`);
    super(`the task is not valid:${lines.join('')}`);
    this.problems = problems;
  }
}

/** A task written in TypeScript: checked at once, with its defaults filled in. */
export function defineTask(input: TaskInput): Task {
  const result = validateTask(input);
  if (result.ok) return result.task;
  throw new TaskError(result.problems);
}
