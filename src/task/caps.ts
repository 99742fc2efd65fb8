import { MODEL_CAPS, modelWallMs } from './model-caps.ts';
import type { Task } from './schema.ts';

/** The caps of an episode, in the words of its row; null where nothing caps it. */
export interface Caps {
  steps: number;
  turns: number | null;
  wall_ms: number;
  tokens: number | null;
  cost_usd: number | null;
}

/** Caps that a command line, a campaign file or a plan lays over those of tasks. */
export type Limits = Partial<Record<keyof Caps, number | null | undefined>>;

interface Spender {
  /** Whether the agent asks a model, and so is held to {@link MODEL_CAPS}. */
  asksModel: boolean;
  /** False: nobody knows what its model costs, so that no cap in USD can be held. */
  hasPrice?: boolean;
}

/**
 * Return how much an episode of a task may spend. A limit lowers a cap, or is one where the task has none; none raises it.
 * Here alone the spelling of task files is read.
 */
export function capsOf(task: Task, limits: Limits = {}, { asksModel, hasPrice = true }: Spender = NO_MODEL): Caps {
  const most = asksModel ? MODEL_CAPS : null;
  const turns = least(task.maxTurns, limits.turns, most?.turns);
  const wallMs = most === null ? task.maxDurationMs : Math.max(task.maxDurationMs, modelWallMs(turns ?? most.turns));
  return {
    steps: Math.min(task.maxSteps, limits.steps ?? Infinity, most?.steps ?? Infinity),
    turns,
    wall_ms: Math.min(wallMs, limits.wall_ms ?? Infinity),
    tokens: least(task.maxTokens, limits.tokens),
    cost_usd: hasPrice ? least(task.maxUsd, limits.cost_usd, most?.cost_usd) : null,
  };
}

const NO_MODEL: Spender = { asksModel: false };

function least(...caps: readonly (number | null | undefined)[]): number | null {
  const lowest = Math.min(...caps.map((cap) => cap ?? Infinity));
  return lowest === Infinity ? null : lowest;
}
