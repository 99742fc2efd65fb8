import { z } from 'zod';
import type { Problem } from '../contract/validation/problem.ts';
import { fact } from '../messages/messages.ts';
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
  /** Such an agent is limited to {@link MODEL_CAPS}. */
  asksModel: boolean;
  /** False: the price of its model is unknown, so a cap in USD cannot be enforced. */
  hasPrice?: boolean;
}

/**
 * The most that an episode of a task may spend. A limit lowers a cap, or adds one; none raises it. Only this function reads the
 * spelling of task files.
 */
export function capsOf(task: Task, limits: Limits = {}, { asksModel, hasPrice = true }: Spender = NO_MODEL): Caps {
  const most = asksModel ? { ...mostOf(task.caps), steps: task.caps?.steps ?? MODEL_CAPS.steps } : null;
  const turns = least(task.maxTurns, limits.turns, most?.turns);
  const wallMs =
    most === null
      ? task.maxDurationMs
      : Math.max(task.maxDurationMs, Math.min(most.wall_ms, modelWallMs(turns ?? most.turns)));
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

/** Caps of each episode of an agent that asks a model. Tasks can lower them; the `caps` of a suite raise them. */
export const MODEL_CAPS = { steps: 50, turns: 50, cost_usd: 0.5 } as const;

export const LONG_WORK = { steps: 500, turns: 500, wall_ms: 7_200_000, cost_usd: 50 } as const;

/** The most that a suite of long work may let each of its tasks allow. */
export const SuiteCaps = z.strictObject({
  steps: z.int().min(1).max(LONG_WORK.steps).optional().describe('tool calls'),
  turns: z.int().min(1).max(LONG_WORK.turns).optional().describe('model calls'),
  wall_ms: z.int().min(1).max(LONG_WORK.wall_ms).optional().describe('two hours at most'),
  cost_usd: z.number().positive().max(LONG_WORK.cost_usd).optional(),
});
export type SuiteCaps = z.infer<typeof SuiteCaps>;

/** The most that a task may allow. */
function mostOf({ steps, turns, wall_ms, cost_usd }: SuiteCaps = {}): Record<keyof SuiteCaps, number> {
  return {
    steps: steps ?? 100,
    turns: turns ?? MODEL_CAPS.turns,
    wall_ms: wall_ms ?? 600_000,
    cost_usd: cost_usd ?? MODEL_CAPS.cost_usd,
  };
}

const IN_TASKS = { maxSteps: 'steps', maxDurationMs: 'wall_ms', maxTurns: 'turns', maxUsd: 'cost_usd' } as const;

/** The caps of a task that are higher than its suite allows. */
export function capProblems(task: Task): Problem[] {
  const most = mostOf(task.caps);
  const fields = ['maxSteps', 'maxDurationMs', 'maxTurns', 'maxUsd'] as const;
  return fields.flatMap((field) => {
    const [given, allowed] = [task[field] ?? 0, most[IN_TASKS[field]]];
    const what = fact('cap_not_raised', { most: allowed, given, cap: IN_TASKS[field] });
    return given <= allowed ? [] : [{ path: [field], what }];
  });
}

/** The caps that only a suite of long work allows. */
export function raisedCaps(caps: Pick<Caps, keyof SuiteCaps>): SuiteCaps {
  const most = mostOf();
  const names = ['steps', 'turns', 'wall_ms', 'cost_usd'] as const;
  const raised = names.filter((name) => (caps[name] ?? 0) > most[name]);
  return Object.fromEntries(raised.map((name) => [name, caps[name]]));
}

/** Two of the slowest calls of a model (`CALL_TIMEOUT_MS` in `src/model/patient.ts`), and the rest of a turn, in ms. */
const TWO_CALLS_MS = 180_000;
const TURN_MS = 6_000;

/**
 * Wall time, in ms, for this many turns of a model and one retry of its slowest call. A task that allows less was written for
 * agents without a provider, whose silence would count as the agent's timeout.
 */
function modelWallMs(turns: number): number {
  return TWO_CALLS_MS + turns * TURN_MS;
}
