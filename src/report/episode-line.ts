import { z } from 'zod';
import { pick, rowFields } from '../bundle/row-fields.ts';
import type { Row } from '../bundle/row.ts';
import { Sha256 } from '../bundle/sha256.ts';
import { Why } from '../claim/figure-fields.ts';

const CELL = ['run_id', 'episode_id', 'suite', 'task', 'instance', 'agent', 'surface', 'iteration'] as const;
const RESULT = [
  'attempt',
  'status',
  'stop',
  'detail',
  'goal_verdict',
  'guard_verdict',
  'steps',
  'wall_ms',
  'tool_errors',
  'no_progress_episodes',
  'response_bytes',
  'model_id',
  'turns',
  'tokens_in',
  'tokens_out',
  'cost_usd',
  'price_table',
  'process_isolation',
  'self_reported',
  'final_url',
  'last_tool_call',
  'failed_contract',
  'failure_category',
  'unsettled',
] as const;

/** One episode, as the report lists it. */
export const EpisodeLine = z.strictObject({
  ...pick(rowFields, CELL),
  faults: rowFields.faults.exactOptional(),
  recovered: rowFields.recovered.exactOptional(),
  ...pick(rowFields, RESULT),
  /** Why a cell that is not applicable is not. */
  why_not: Why,
  /** The blob of its last picture; of passes, none is named. */
  picture: Sha256.exactOptional(),
});
export type EpisodeLine = z.infer<typeof EpisodeLine>;

export function episodeLine(row: Row): EpisodeLine {
  const picture = row.status === 'passed' ? undefined : row.artifacts['screenshot_end'];
  return {
    ...pick(row, CELL),
    ...(row.faults.length === 0 ? {} : pick(row, ['faults', 'recovered'])),
    ...pick(row, RESULT),
    why_not: row.status === 'not_applicable' ? (row.null_reasons['steps'] ?? null) : null,
    ...(picture === undefined ? {} : { picture }),
  };
}
