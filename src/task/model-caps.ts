/** The most that one episode of an agent that asks a model may spend. Tasks can lower it, nothing can raise it. */
export const MODEL_CAPS = { steps: 50, turns: 50, cost_usd: 0.5 } as const;
