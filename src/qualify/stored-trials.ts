import path from 'node:path';
import { readdir, rm } from 'node:fs/promises';
import { z } from 'zod';
import { type BlobStore, nameOfBlob, openBlobs } from '../bundle/blobs.ts';
import { BundleError } from '../bundle/errors.ts';
import { loadEvidence, storeEvidence } from '../bundle/evidence-file.ts';
import { parseJson } from '../bundle/json-file.ts';
import { Sha256 } from '../bundle/sha256.ts';
import { hashJson } from '../contract/canonical.ts';
import { Stop } from '../contract/status.ts';
import type { QualifyingTrial } from './judged-trial.ts';

const StoredEvidence = z.strictObject({ evidence: Sha256, screenshot: Sha256.nullable() });

/** A trial that was made: the hash of what it depends on, and the blobs with its evidence. */
const StoredTrial = z.strictObject({
  id: z.string(),
  key: Sha256,
  stop: Stop.exclude(['invalid_task', 'infra_error']),
  detail: z.string().nullable(),
  failed_step: z.string().optional(),
  final_url: z.string().nullable(),
  /** Includes world and captures. */
  ms: z.number().min(0),
  start: StoredEvidence,
  end: StoredEvidence,
});
export type StoredTrial = z.infer<typeof StoredTrial>;

const StoredTrials = z.strictObject({ schema_version: z.literal(1), trials: z.array(StoredTrial).max(10_000) });

/** Trials that are stored; `problem` names a blob that does not match its hash. */
export interface ReadTrials {
  trials: StoredTrial[];
  problem: string | null;
}

/**
 * The trials of a task's last proof, in a folder outside the suite. The proof next to the suite names their record by its SHA-256,
 * and the record names all evidence by its own; anything with another hash is not used.
 */
export class TrialStore {
  readonly #folder: string;
  readonly #blobs: BlobStore;

  /**
   * @param root the folder of all stored trials
   * @param suiteFile distinguishes copies of a suite
   */
  constructor(root: string, suiteFile: string, task: string) {
    this.#folder = path.join(root, hashJson([suiteFile, task]).slice(0, 32));
    this.#blobs = openBlobs(this.#folder);
  }

  /** Returns the trials of a record; none if it is not stored here. */
  async recorded(sha256: string): Promise<ReadTrials> {
    const record = await unlessBroken(async () => {
      const bytes = await this.#blobs.get(sha256);
      return parseJson(bytes, StoredTrials, 'a record of trials', `blob ${sha256}`);
    });
    return record.ok ? { trials: record.value.trials, problem: null } : { trials: [], problem: record.problem };
  }

  /** Returns the trials whose evidence is stored and matches the hashes in their record. */
  async whole(recorded: readonly StoredTrial[]): Promise<ReadTrials> {
    const found: ReadTrials = { trials: [], problem: null };
    for (const trial of recorded) {
      const loaded = await unlessBroken(() => this.load(trial));
      if (loaded.ok) found.trials.push(trial);
      else found.problem ??= loaded.problem;
    }
    return found;
  }

  async clear(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** @throws BundleError naming the blob that is missing or does not match its hash */
  async load({ failed_step: failedStep, ...stored }: StoredTrial): Promise<QualifyingTrial> {
    const { stop, detail, final_url: finalUrl, start, end } = stored;
    const [before, after] = [
      await loadEvidence(this.#blobs, start.evidence),
      await loadEvidence(this.#blobs, end.evidence),
    ];
    const failed = failedStep === undefined ? {} : { failedStep };
    return { stop, detail, ...failed, finalUrl, start: before, end: after };
  }

  /** Stores the evidence of a trial; null for one without an end of its own, which proves nothing later. */
  async add(
    { id, key, ms }: Pick<StoredTrial, 'id' | 'key' | 'ms'>,
    trial: QualifyingTrial,
  ): Promise<StoredTrial | null> {
    const { stop, detail, failedStep, finalUrl, start, end } = trial;
    if (start === null || end === null || stop === 'invalid_task' || stop === 'infra_error') return null;
    const [before, after] = [await storeEvidence(this.#blobs, start), await storeEvidence(this.#blobs, end)];
    const failed = failedStep === undefined ? {} : { failed_step: failedStep };
    return { id, key, stop, detail, ...failed, final_url: finalUrl, ms, start: before, end: after };
  }

  /** Stores the record of these trials, and returns its hash for a proof. */
  async record(trials: StoredTrial[]): Promise<string> {
    const record: z.infer<typeof StoredTrials> = { schema_version: 1, trials };
    return await this.#blobs.put(JSON.stringify(record));
  }

  /** Removes all but one record and its blobs. */
  async keepOnly(sha256: string, trials: readonly StoredTrial[]): Promise<void> {
    const used = trials.flatMap(({ start, end }) => [start, end]).flatMap((each) => [each.evidence, each.screenshot]);
    const kept = new Set<string | null>([sha256, ...used]);
    for (const file of await readdir(this.#folder)) {
      if (!kept.has(nameOfBlob(file))) await rm(path.join(this.#folder, file), { force: true });
    }
  }
}

/** A missing blob is not a problem: trials are stored on the machine that made them. */
async function unlessBroken<T>(
  read: () => Promise<T>,
): Promise<{ ok: true; value: T } | { ok: false; problem: string | null }> {
  try {
    return { ok: true, value: await read() };
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    return { ok: false, problem: error.code === 'blob_missing' ? null : error.message };
  }
}
