import type { RowDraft } from '../bundle/row.ts';
import { briefOf } from '../task/brief.ts';
import type { PlannedTask } from './plan.ts';

/** The caps of an episode as its row has them; the campaign may lower that of steps. */
export function rowCaps({ task }: PlannedTask, maxSteps: number | null): RowDraft['caps'] {
  const { caps } = briefOf(task, maxSteps);
  return {
    steps: caps.maxSteps,
    turns: caps.maxTurns,
    wall_ms: caps.maxDurationMs,
    tokens: caps.maxTokens,
    cost_usd: caps.maxUsd,
  };
}
