/**
 * The most that one episode of an agent that asks a model may spend, and the most tokens of one reply. Tasks can lower it,
 * nothing can raise it.
 */
export const MODEL_CAPS = { maxSteps: 50, maxTurns: 50, maxUsd: 0.5, outputTokens: 4096 } as const;
