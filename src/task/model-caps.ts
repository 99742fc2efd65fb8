/** The most that one episode of an agent that asks a model may spend. Tasks can lower it, nothing can raise it. */
export const MODEL_CAPS = { maxSteps: 50, maxTurns: 50, maxUsd: 0.5 } as const;
