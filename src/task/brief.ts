import { taskName } from './instance.ts';
import type { Task } from './schema.ts';

/** How much an episode may spend; null where the task sets no cap. */
export interface Caps {
  maxSteps: number;
  maxDurationMs: number;
  maxTurns: number | null;
  maxTokens: number | null;
  maxUsd: number | null;
}

/** All that an agent may know of a task. How the task is judged, solved or failed has no place here. */
export interface Brief {
  id: string;
  title: string;
  goal: string;
  startUrl: string;
  caps: Caps;
}

/**
 * What the agent is told, field by field, so that a new field of a task stays hidden until someone names it here.
 * @param maxSteps lowers the task's own cap of steps; it cannot raise it
 */
export function briefOf(task: Task, maxSteps: number | null = null): Brief {
  return {
    id: taskName(task),
    title: task.title,
    goal: task.goal,
    startUrl: task.startUrl,
    caps: {
      maxSteps: Math.min(task.maxSteps, maxSteps ?? task.maxSteps),
      maxDurationMs: task.maxDurationMs,
      maxTurns: task.maxTurns ?? null,
      maxTokens: task.maxTokens ?? null,
      maxUsd: task.maxUsd ?? null,
    },
  };
}
