import { z } from 'zod';
import type { Verdict } from '../contract/verdict.ts';

/** Why an episode came to its end. */
export const Stop = z.enum([
  'done',
  'gave_up',
  'max_steps',
  'max_turns',
  'timeout',
  'budget_exceeded',
  'replay_drift',
  'agent_error',
  'invalid_task',
  'infra_error',
]);
export type Stop = z.infer<typeof Stop>;

/** What became of an episode. */
export type Status = 'passed' | 'failed' | 'inconclusive' | Exclude<Stop, 'done'>;

/** What the judge said at the end; null where it came to no judgement. */
export interface FinalVerdicts {
  goal: Verdict | null;
  guard: Verdict | null;
}

/**
 * Passed means: the agent said done, `success` passes, `guards` pass. Any other stop is its own status, whatever the
 * verdicts, which are kept beside it.
 */
export function statusOf(stop: Stop, { goal, guard }: FinalVerdicts): Status {
  if (stop !== 'done') return stop;
  if (goal === 'fail' || guard === 'fail') return 'failed';
  return goal === 'pass' && guard === 'pass' ? 'passed' : 'inconclusive';
}
