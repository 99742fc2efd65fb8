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
