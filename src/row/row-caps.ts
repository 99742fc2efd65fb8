import type { RowDraft } from '../bundle/row.ts';
import { type CapsFor, capsOf } from '../task/brief.ts';
import type { PlannedTask } from '../plan/plan.ts';

/** The caps of an episode as its row has them. */
export function rowCaps({ task }: PlannedTask, capsFor: CapsFor): RowDraft['caps'] {
  const caps = capsOf(task, capsFor);
  return {
    steps: caps.maxSteps,
    turns: caps.maxTurns,
    wall_ms: caps.maxDurationMs,
    tokens: caps.maxTokens,
    cost_usd: caps.maxUsd,
  };
}
