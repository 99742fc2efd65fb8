import { z } from 'zod';
import { Concurrency } from './row-words.ts';
import { Sha256 } from './sha256.ts';
import { InterruptedBy } from '../contract/status.ts';
import { wellFormed } from '../contract/strings.ts';

const attempt = { episode_id: z.string(), attempt: z.int().min(1) };

const planned = { kind: z.literal('planned'), plan_hash: Sha256, episodes: z.int().min(0) };
const started = {
  kind: z.literal('started'),
  ...attempt,
  run_id: z.string(),
  concurrency: Concurrency.exactOptional(),
  /** Most that the attempt may spend in another process, in USD, before its last reply. */
  allowance_usd: z.number().min(0).exactOptional(),
};
const sealed = { kind: z.literal('sealed'), ...attempt, seal_hash: Sha256 };
const why = z.string().min(1).overwrite(wellFormed);
/** Without an interruption, the attempt was killed. */
const voided = { kind: z.literal('voided'), ...attempt, why, interruption: InterruptedBy.optional() };
const paused = { kind: z.literal('paused'), cause: InterruptedBy, why };

export const LedgerEntry = z.discriminatedUnion('kind', [
  z.strictObject(planned),
  z.strictObject(started),
  z.strictObject(sealed),
  z.strictObject(voided),
  z.strictObject(paused),
]);
export type LedgerEntry = z.infer<typeof LedgerEntry>;

/** `seq` is the line number; `prev` the hash of the previous record; `part` the part of a merged bundle. */
const link = { seq: z.int().min(1), at: z.iso.datetime(), prev: Sha256, part: z.int().min(1).optional() };

export const LedgerRecord = z.discriminatedUnion('kind', [
  z.strictObject({ ...link, ...planned }),
  z.strictObject({ ...link, ...started }),
  z.strictObject({ ...link, ...sealed }),
  z.strictObject({ ...link, ...voided }),
  z.strictObject({ ...link, ...paused }),
]);
export type LedgerRecord = z.infer<typeof LedgerRecord>;

/** The `prev` of the first record, and the head of an empty ledger. */
export const GENESIS = '0'.repeat(64);
