import type { Caps } from './caps.ts';
import { taskName } from './instance.ts';
import type { Task } from './schema.ts';

/** All that an agent may know of a task. */
export interface Brief {
  id: string;
  title: string;
  goal: string;
  startUrl: string;
  caps: Caps;
}

/** Lists the fields, so that a new field of a task stays hidden until it is named here. */
export function briefOf(task: Task, caps: Caps): Brief {
  return {
    id: taskName(task),
    title: task.title,
    goal: task.goal,
    startUrl: task.startUrl,
    caps,
  };
}
