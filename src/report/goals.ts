import { z } from 'zod';
import { rowFields } from '../bundle/row-fields.ts';
import { instanceName, nameOfInstance } from '../task/instance.ts';
import type { Task } from '../task/schema.ts';
import { shortened } from '../messages/printable.ts';

/** Longest goal of a report, in characters; `campaign.json` has all of it. */
const LONGEST = 400;

export const ReportedGoal = z.strictObject({
  suite: rowFields.suite,
  task: rowFields.task,
  instance: rowFields.instance,
  /** On one line. */
  goal: z.string(),
});
export type ReportedGoal = z.infer<typeof ReportedGoal>;

export function goalsOf(tasks: readonly { suite: string; task: Task }[]): ReportedGoal[] {
  const goals = tasks.map(({ suite, task }) => ({
    suite,
    task: task.id,
    instance: instanceName(task),
    goal: shortened(task.goal.replaceAll(/\s+/g, ' ').trim(), LONGEST),
  }));
  return [...new Map(goals.map((each) => [goalKey(each), each])).values()];
}

export function goalKey({ suite, task, instance }: Omit<ReportedGoal, 'goal'>): string {
  return `${suite}/${nameOfInstance(task, instance)}`;
}
