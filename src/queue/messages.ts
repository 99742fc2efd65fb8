import { z } from 'zod';
import { Name } from '../bundle/name.ts';
import { Sha256 } from '../bundle/sha256.ts';
import { PREFIX } from './connection.ts';

/** The messages of a queue. They hold hashes and numbers, and name no file, program or place. */
const version = { schema_version: z.literal(1) };

/** An attempt of an episode; `campaign` is the hash of its `campaign.json`. */
const attempt = {
  ...version,
  campaign: Sha256,
  episode_id: z.string().regex(/^[0-9a-f]{16,64}$/),
  attempt: z.int().min(1).max(999),
};

export const AttemptJob = z.strictObject(attempt);
export type AttemptJob = z.infer<typeof AttemptJob>;

/** An attempt that has ended: the hashes of its records in the store. */
export const AttemptResult = z.strictObject({ ...attempt, events: Sha256, transcript: Sha256 });
export type AttemptResult = z.infer<typeof AttemptResult>;

/** A campaign whose coordinator is running. */
export const OpenCampaign = z.strictObject({
  ...version,
  campaign_id: Name,
  campaign: Sha256,
  code: Sha256,
  /** The run of the coordinator. */
  session: z.uuid(),
});
export type OpenCampaign = z.infer<typeof OpenCampaign>;

/** A worker's reason to run nothing of a campaign. */
export const WorkerRefusal = z.strictObject({
  ...version,
  worker: z.string().max(200),
  why: z.string().min(1).max(4_000),
});
export type WorkerRefusal = z.infer<typeof WorkerRefusal>;

/** Reads an untrusted message; null if it is invalid. */
export function messageIn<T extends z.ZodType>(schema: T, text: string): z.output<T> | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Why a job failed whose coordinator did not let this run begin. */
export const NOT_BEGUN = 'the coordinator did not let it begin';

/** The key of the coordinator's answer to a run, `go` or `no`. A worker asks by reporting the name of its run as progress. */
export function goKey(run: string): string {
  return `${PREFIX}:go:${run}`;
}

/** Names a job, so that a queue has at most one for each attempt. */
export function jobIdOf({ episode_id: id, attempt: number }: Pick<AttemptJob, 'episode_id' | 'attempt'>): string {
  return `${id}-${number}`;
}
