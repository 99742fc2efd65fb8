import { z } from 'zod';
import { FailureCategory } from '../../bundle/row-words.ts';
import { Status } from '../../contract/status.ts';
import { EpisodeEvent } from '../../episode/events.ts';

const Count = z.int().min(0);
const Milliseconds = z.number().min(0);

/** Which episode it is. */
const Episode = {
  episode_id: z.string(),
  suite: z.string(),
  task: z.string(),
  instance: z.string(),
  /** Counts from 0. */
  iteration: Count,
  agent: z.string(),
  surface: z.string(),
};

const Progress = z.strictObject({
  total: Count,
  done: Count,
  workers: Count,
  /** Counts episodes of all but controls; `low` and `high` bound the 95 % interval, clustered by task, and are null below two tasks. */
  passed: Count,
  of: Count,
  low: z.number().min(0).max(1).nullable(),
  high: z.number().min(0).max(1).nullable(),
  /** Episodes a minute, and the time that is left at that pace. Null before the first is done. */
  per_minute: z.number().min(0).nullable(),
  left_ms: Milliseconds.nullable(),
  /** Spent at known prices; null where no model with one was asked. */
  usd: z.number().min(0).nullable(),
  /** Tokens of models that are paid for by prices that are not known here. */
  unpriced_tokens: Count,
  at_work: z.array(
    z.strictObject({
      worker: z.int().min(1),
      task: z.string(),
      agent: z.string(),
      surface: z.string(),
      doing: z.string(),
      since_ms: Milliseconds,
    }),
  ),
});

const kinds = [
  /** Work before the first episode, or after the last. */
  z.strictObject({ event: z.literal('phase'), at: z.iso.datetime(), phase: z.string() }),
  z.strictObject({ event: z.literal('planned'), at: z.iso.datetime(), total: Count, done: Count, workers: Count }),
  /** A model has answered the question before the first episode. */
  z.strictObject({
    event: z.literal('asked_first'),
    at: z.iso.datetime(),
    agent: z.string(),
    model_id: z.string().nullable(),
    called_tool: z.boolean().nullable(),
    usd: z.number().min(0).nullable(),
  }),
  z.strictObject({ event: z.literal('started'), at: z.iso.datetime(), ...Episode, worker: z.int().min(1) }),
  /** With --verbose: an event of an episode as `events.jsonl` has it. */
  z.strictObject({
    event: z.literal('episode_event'),
    at: z.iso.datetime(),
    episode_id: z.string(),
    detail: EpisodeEvent,
  }),
  z.strictObject({ event: z.literal('interrupted'), at: z.iso.datetime(), ...Episode, why: z.string() }),
  z.strictObject({
    event: z.literal('finished'),
    at: z.iso.datetime(),
    ...Episode,
    status: Status,
    failure_category: FailureCategory.nullable(),
    steps: Count.nullable(),
    wall_ms: Milliseconds.nullable(),
    cost_usd: z.number().min(0).nullable(),
  }),
  /** Every ten seconds, and after the last episode. */
  z.strictObject({ event: z.literal('progress'), at: z.iso.datetime(), ...Progress.shape }),
  /** A message in words, for a person. */
  z.strictObject({ event: z.literal('note'), at: z.iso.datetime(), text: z.string() }),
] as const;

/** A line of standard error of `touchstone run --json`. */
export const RunEvent = z.discriminatedUnion('event', kinds);
export type RunEvent = z.infer<typeof RunEvent>;
