import { z } from 'zod';
import { Name } from '../bundle/name.ts';
import { Sha256 } from '../bundle/sha256.ts';
import { PREFIX } from './connection.ts';

/** Everything that goes through a queue. A message names hashes and numbers, and no file, program or place. */
const version = { schema_version: z.literal(1) };

/** One attempt of one episode: of which campaign, by the hash of its `campaign.json`, and which. */
const attempt = {
  ...version,
  campaign: Sha256,
  episode_id: z.string().regex(/^[0-9a-f]{16,64}$/),
  attempt: z.int().min(1).max(999),
};

export const AttemptJob = z.strictObject(attempt);
export type AttemptJob = z.infer<typeof AttemptJob>;

/** An attempt that has come to its end: the hashes of what was recorded, which lies in the store. */
export const AttemptResult = z.strictObject({ ...attempt, events: Sha256, transcript: Sha256 });
export type AttemptResult = z.infer<typeof AttemptResult>;

/** A campaign that has episodes to be run, as long as its coordinator is there. */
export const OpenCampaign = z.strictObject({
  ...version,
  campaign_id: Name,
  campaign: Sha256,
  /** The code that coordinates it. */
  code: Sha256,
  /** The run of the coordinator. */
  session: z.uuid(),
});
export type OpenCampaign = z.infer<typeof OpenCampaign>;

/** A worker's word that it runs nothing of a campaign, and why. */
export const WorkerRefusal = z.strictObject({
  ...version,
  worker: z.string().max(200),
  why: z.string().min(1).max(4_000),
});
export type WorkerRefusal = z.infer<typeof WorkerRefusal>;

/** Reads a message that anyone may have written; null if it is not one. */
export function messageIn<T extends z.ZodType>(schema: T, text: string): z.output<T> | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** The reason of a job whose run its coordinator has not let begin; another run of it may. */
export const NOT_BEGUN = 'the coordinator did not let it begin';

/** The key of the coordinator's word on a run of a job, `go` or `no`. A worker asks for it by its progress: the name of its run. */
export function goKey(run: string): string {
  return `${PREFIX}:go:${run}`;
}

/** The name of a job: two of the same attempt cannot be in a queue. */
export function jobIdOf({ episode_id: id, attempt: number }: Pick<AttemptJob, 'episode_id' | 'attempt'>): string {
  return `${id}-${number}`;
}
