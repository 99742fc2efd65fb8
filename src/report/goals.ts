import { z } from 'zod';
import { rowFields } from '../bundle/row-fields.ts';
import { instanceName, nameOfInstance } from '../task/instance.ts';
import type { Task } from '../task/schema.ts';
import { shortened } from '../messages/printable.ts';

/** Longest goal of a report, in characters: whoever wants all of it finds it in `campaign.json`. */
const LONGEST = 400;

/** Says what an agent was asked to do in a task. */
export const ReportedGoal = z.strictObject({
  suite: rowFields.suite,
  task: rowFields.task,
  instance: rowFields.instance,
  /** On one line, and cut where it is long. */
  goal: z.string(),
});
export type ReportedGoal = z.infer<typeof ReportedGoal>;

/** Lists the goals of planned tasks, each once, whatever was planned to go wrong in it. */
export function goalsOf(tasks: readonly { suite: string; task: Task }[]): ReportedGoal[] {
  const goals = tasks.map(({ suite, task }) => ({
    suite,
    task: task.id,
    instance: instanceName(task),
    goal: shortened(task.goal.replaceAll(/\s+/g, ' ').trim(), LONGEST),
  }));
  return [...new Map(goals.map((each) => [goalKey(each), each])).values()];
}

/** Name an instance of a task by its suite, so that the goal of an episode is found by it. */
export function goalKey({ suite, task, instance }: Omit<ReportedGoal, 'goal'>): string {
  return `${suite}/${nameOfInstance(task, instance)}`;
}
