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
import type { TaskTrial } from './trials.ts';

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

  /** Returns the trials of a record; none if it is not stored here. @throws BundleError when it was changed */
  async recorded(sha256: string): Promise<StoredTrial[]> {
    const bytes = await ifStored(() => this.#blobs.get(sha256));
    return bytes === null ? [] : parseJson(bytes, StoredTrials, 'a record of trials', `blob ${sha256}`).trials;
  }

  /**
   * Finds the recorded trials with the keys of these, by id; each is used once, and only with all its evidence.
   * @throws BundleError naming a blob that was changed
   */
  async matching(
    recorded: readonly StoredTrial[],
    trials: readonly Pick<TaskTrial, 'id' | 'key'>[],
  ): Promise<Map<string, StoredTrial>> {
    const free = [...recorded];
    const found = new Map<string, StoredTrial>();
    for (const { id, key } of trials) {
      const at = free.findIndex((each) => each.key === key);
      const [same] = at === -1 ? [] : free.splice(at, 1);
      if (same !== undefined && (await ifStored(() => this.load(same))) !== null) found.set(id, same);
    }
    return found;
  }

  async clear(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** @throws BundleError naming the blob that is missing or does not match its hash */
  async load({ failed_step: failedStep, final_url: finalUrl, ...stored }: StoredTrial): Promise<QualifyingTrial> {
    const { stop, detail } = stored;
    const start = await loadEvidence(this.#blobs, stored.start.evidence);
    const end = await loadEvidence(this.#blobs, stored.end.evidence);
    return { stop, detail, ...(failedStep !== undefined && { failedStep }), finalUrl, start, end };
  }

  /** Stores the evidence of a trial; null for one without an end of its own, which proves nothing later. */
  async add(
    { id, key, ms }: Pick<StoredTrial, 'id' | 'key' | 'ms'>,
    trial: QualifyingTrial,
  ): Promise<StoredTrial | null> {
    const { stop, detail, failedStep, finalUrl, start, end } = trial;
    if (start === null || end === null || stop === 'invalid_task' || stop === 'infra_error') return null;
    const [before, after] = [await storeEvidence(this.#blobs, start), await storeEvidence(this.#blobs, end)];
    const failed = failedStep !== undefined && { failed_step: failedStep };
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

/** Returns null for a missing blob: trials are stored on the machine that made them. */
async function ifStored<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BundleError && error.code === 'blob_missing') return null;
    throw error;
  }
}
