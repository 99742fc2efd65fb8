import { taskName } from './instance.ts';
import { MODEL_CAPS } from './model-caps.ts';
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

/** What lowers or adds to a task's own caps. */
export interface CapsFor {
  /** Lowers the task's cap of steps; it cannot raise it. */
  maxSteps?: number | null;
  /** Lowers the task's cap of turns, or is one where the task has none. */
  maxTurns?: number | null;
  /** The same for its cap of tokens, in and out. */
  maxTokens?: number | null;
  /** Whether the agent asks a model, and so is held to {@link MODEL_CAPS}. */
  asksModel?: boolean;
  /** False: nobody knows what its model costs, so that no cap in USD can be held. */
  hasPrice?: boolean;
}

/** How much an episode of this task may spend. */
export function capsOf(task: Task, cap: CapsFor = {}): Caps {
  const { maxSteps = null, asksModel = false, hasPrice = true } = cap;
  const { maxUsd = null } = task;
  const turns = Math.min(task.maxTurns ?? Infinity, cap.maxTurns ?? Infinity);
  const tokens = Math.min(task.maxTokens ?? Infinity, cap.maxTokens ?? Infinity);
  const caps = {
    maxSteps: Math.min(task.maxSteps, maxSteps ?? task.maxSteps),
    maxDurationMs: task.maxDurationMs,
    maxTurns: turns === Infinity ? null : turns,
    maxTokens: tokens === Infinity ? null : tokens,
    maxUsd,
  };
  if (!asksModel) return caps;
  return {
    ...caps,
    maxSteps: Math.min(caps.maxSteps, MODEL_CAPS.maxSteps),
    maxTurns: Math.min(turns, MODEL_CAPS.maxTurns),
    maxUsd: hasPrice ? Math.min(maxUsd ?? MODEL_CAPS.maxUsd, MODEL_CAPS.maxUsd) : null,
  };
}

/** What the agent is told, field by field, so that a new field of a task stays hidden until someone names it here. */
export function briefOf(task: Task, caps?: CapsFor): Brief {
  return {
    id: taskName(task),
    title: task.title,
    goal: task.goal,
    startUrl: task.startUrl,
    caps: capsOf(task, caps),
  };
}
