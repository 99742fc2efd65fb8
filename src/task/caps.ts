import type { Task } from './schema.ts';

/** The caps of an episode, in the words of its row; null: not capped. */
export interface Caps {
  steps: number;
  turns: number | null;
  wall_ms: number;
  tokens: number | null;
  cost_usd: number | null;
}

/** Caps of a command line, a campaign file or a plan, which lower those of tasks. */
export type Limits = Partial<Record<keyof Caps, number | null | undefined>>;

export interface Spender {
  /** Such an agent is held to {@link MODEL_CAPS}. */
  asksModel: boolean;
  /** False: the price of its model is unknown, so a cap in USD cannot be enforced. */
  hasPrice?: boolean;
}

/**
 * The most that an episode of a task may spend. A limit lowers a cap, or adds one; none raises it. Only this function reads the
 * spelling of task files.
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

/** Caps of each episode of an agent that asks a model. Tasks can lower them, nothing can raise them. */
export const MODEL_CAPS = { steps: 50, turns: 50, cost_usd: 0.5 } as const;

/** Longest that a task may allow, in ms. */
export const MOST_WALL_MS = 600_000;
/** Two of the slowest calls of a model (`CALL_TIMEOUT_MS` in `src/model/patient.ts`), and the rest of a turn, in ms. */
const TWO_CALLS_MS = 180_000;
const TURN_MS = 6_000;

/**
 * Wall time, in ms, for so many turns of a model and one retry of its slowest call. A task that allows less was written for
 * agents without a provider, whose silence would count as the agent's timeout.
 */
export function modelWallMs(turns: number): number {
  return Math.min(MOST_WALL_MS, TWO_CALLS_MS + turns * TURN_MS);
}
