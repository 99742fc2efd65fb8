import type { Task } from './schema.ts';

/** The caps of an episode, in the words of its row; null where nothing caps it. */
export interface Caps {
  steps: number;
  turns: number | null;
  wall_ms: number;
  tokens: number | null;
  cost_usd: number | null;
}

/** Caps that lower those of tasks: of a command line, a campaign file or a plan. */
export type Limits = Partial<Record<keyof Caps, number | null | undefined>>;

export interface Spender {
  /** Whether the agent asks a model, and so is held to {@link MODEL_CAPS}. */
  asksModel: boolean;
  /** False: the price of its model is unknown, so a cap in USD cannot be enforced. */
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

/** The most that one episode of an agent that asks a model may spend. Tasks can lower it, nothing can raise it. */
export const MODEL_CAPS = { steps: 50, turns: 50, cost_usd: 0.5 } as const;

/** The longest that any task may allow, in ms. */
export const MOST_WALL_MS = 600_000;
/** Two calls that take as long as a call of a model may, `CALL_TIMEOUT_MS` in `src/model/patient.ts`, and what else a turn takes, in ms. */
const TWO_CALLS_MS = 180_000;
const TURN_MS = 6_000;

/**
 * Return the wall time, in ms, that so many turns of a model and one retry of its slowest call need. A task that allows less was
 * written for agents that need no provider, and would have a provider's silence end as the agent's timeout.
 */
export function modelWallMs(turns: number): number {
  return Math.min(MOST_WALL_MS, TWO_CALLS_MS + turns * TURN_MS);
}
