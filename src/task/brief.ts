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
  /** Paths of files that it can upload; absent if there are none, or if a tool lists them. */
  files?: readonly string[];
}

/** Lists the fields, so that a new field of a task stays hidden until it is named here. */
export function briefOf(task: Task, caps: Caps, files: readonly string[] = []): Brief {
  return {
    id: taskName(task),
    title: task.title,
    goal: task.goal,
    startUrl: task.startUrl,
    caps,
    ...(files.length === 0 ? {} : { files }),
  };
}
