import { mkdir, writeFile } from 'node:fs/promises';
import { canonicalJson } from '../contract/canonical.ts';
import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';
import { BundleError } from './errors.ts';
import { readJsonFile } from './json-file.ts';
import type { AttemptLayout, BundleLayout } from './layout.ts';
import type { LedgerRecord } from './ledger-record.ts';
import { readLedger } from './ledger.ts';
import { MAX_BYTES } from './limits.ts';
import { Row, rowHashes } from './row.ts';
import { sealAttempt } from './seal.ts';

export interface SealedRow {
  row: Row;
  sealHash: string;
}

/** A sealed attempt whose `row.json` is missing or not a row. */
export interface UnreadableRow {
  episodeId: string;
  attempt: number;
  problem: Fact;
}

/**
 * Writes `row.json` and seals the attempt with its folder; returns the hash of the seal. The attempt counts only once the
 * ledger has that hash, so a kill before loses it and never tears it.
 */
export async function sealRow(attempt: AttemptLayout, row: Row): Promise<string> {
  await mkdir(attempt.folder, { recursive: true });
  await writeFile(attempt.row, `${canonicalJson(row)}\n`);
  return sealAttempt(attempt.folder, Object.values(row.artifacts));
}

/**
 * The rows of all sealed attempts, in the order of the ledger. Does not compare files with their seals.
 * @throws BundleError when the ledger is broken, or a row is missing, malformed or of another attempt.
 */
export async function readSealedRows(layout: BundleLayout): Promise<SealedRow[]> {
  return rowsSealedIn((await readLedger(layout.ledger)).records, layout);
}

export async function sealedRowOrProblem(
  record: SealedRecord,
  layout: BundleLayout,
): Promise<SealedRow | UnreadableRow> {
  try {
    return await readSealedRow(record, layout);
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    return { episodeId: record.episode_id, attempt: record.attempt, problem: error.fact };
  }
}

/** The same, from ledger records. `known`: rows that were read before, by the hash of their seal. */
export async function rowsSealedIn(
  records: readonly LedgerRecord[],
  layout: BundleLayout,
  known: ReadonlyMap<string, SealedRow> = new Map(),
): Promise<SealedRow[]> {
  const sealed: SealedRow[] = [];
  for (const record of records) {
    if (record.kind === 'sealed') sealed.push(known.get(record.seal_hash) ?? (await readSealedRow(record, layout)));
  }
  return sealed;
}

export type SealedRecord = Extract<LedgerRecord, { kind: 'sealed' }>;

/** @throws BundleError when the row is missing, malformed or of another attempt. */
export async function readSealedRow(
  { episode_id: id, attempt, seal_hash: sealHash }: Pick<SealedRecord, 'episode_id' | 'attempt' | 'seal_hash'>,
  layout: BundleLayout,
): Promise<SealedRow> {
  const { row: path } = layout.attempt(id, attempt);
  const row = await readJsonFile(path, Row, 'a row', { maxBytes: MAX_BYTES.row });
  if (row.episode_id !== id || row.attempt !== attempt) {
    const other = { file: path, attempt: row.attempt, episode: row.episode_id };
    throw new BundleError(fact('row_of_other_attempt', other));
  }
  if (!hasItsHashes(row)) throw new BundleError(fact('row_hashes_differ', { file: path }));
  return { row, sealHash };
}

function hasItsHashes(row: Row): boolean {
  try {
    const { record_hash: record, outcome_hash: outcome } = rowHashes(row);
    return row.record_hash === record && row.outcome_hash === outcome;
  } catch {
    // Half a character has no hash.
    return false;
  }
}

export async function readCountedRows(layout: BundleLayout): Promise<Row[]> {
  return countedRowsIn(await readSealedRows(layout));
}

/** In the order of the plan. */
export function countedRowsIn(sealed: readonly SealedRow[]): Row[] {
  const counted = sealed.map(({ row }) => row).filter(({ counts }) => counts);
  return counted.toSorted((a, b) => a.plan_index - b.plan_index);
}
