import type { OwnUsage } from '../agent/agent.ts';

/** The word of an agent that drives the browser itself. Null: it said nothing of the kind. */
export interface SelfReport {
  steps: number;
  toolErrors: number;
  modelCalls: number;
  tokensIn: number | null;
  tokensOut: number | null;
  tokensCached: number | null;
  costUsd: number | null;
  model: string | null;
}

export const NOTHING_REPORTED: Readonly<SelfReport> = {
  steps: 0,
  toolErrors: 0,
  modelCalls: 0,
  tokensIn: null,
  tokensOut: null,
  tokensCached: null,
  costUsd: null,
  model: null,
};

/** Adds one model call to what was reported before. */
export function addUp(
  reported: SelfReport,
  { inputTokens, outputTokens, cachedTokens, costUsd, model }: OwnUsage,
): void {
  reported.modelCalls += 1;
  reported.tokensIn = sum(reported.tokensIn, inputTokens);
  reported.tokensOut = sum(reported.tokensOut, outputTokens);
  reported.tokensCached = sum(reported.tokensCached, cachedTokens);
  reported.costUsd = sum(reported.costUsd, costUsd);
  reported.model = model ?? reported.model;
}

function sum(total: number | null, more: number | null): number | null {
  return more === null ? total : (total ?? 0) + more;
}
