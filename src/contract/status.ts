import { z } from 'zod';
import type { Verdict } from './verdict.ts';

/** Why an episode stopped. `done`: the agent reported it, or its transcript, solution or one-shot plan ended. */
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

/** A part of an entrant that broke, other than its agent. `unreached`: it worked, and the browser received nothing of it. */
export const Broken = z.enum(['surface', 'browser', 'connection', 'unreached']);
export type Broken = z.infer<typeof Broken>;

/**
 * Ends an episode from outside the entrant, unjudged, and pauses the campaign. `outage`: a model's provider fails for now.
 * `turned_away`: it refuses the key, the account or the model. `budget`: the campaign's money is spent.
 */
export const InterruptedBy = z.enum(['outage', 'turned_away', 'budget']);
export type InterruptedBy = z.infer<typeof InterruptedBy>;

/** The outcome of an episode. Only `passed` is a success; the last two never ran. */
export const Status = z.enum([
  'passed',
  'failed',
  'inconclusive',
  ...Stop.exclude(['done']).options,
  'not_applicable',
  'unavailable',
]);
export type Status = z.infer<typeof Status>;

export interface FinalVerdicts {
  goal: Verdict | null;
  guard: Verdict | null;
}

/**
 * Passed means: the agent reported done, `success` passes, `guards` pass. Any other stop is its own status; the verdicts are kept.
 */
export function statusOf(stop: Stop, { goal, guard }: FinalVerdicts): Status {
  if (stop !== 'done') return stop;
  if (goal === 'fail' || guard === 'fail') return 'failed';
  return goal === 'pass' && guard === 'pass' ? 'passed' : 'inconclusive';
}
