import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '../bundle/atomic-file.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import { readLedger } from '../bundle/ledger.ts';
import { Row } from '../bundle/row.ts';
import { canonicalJson } from '../contract/canonical.ts';
import type { PlannedEpisode } from './plan.ts';
import type { Progress } from './progress.ts';

/** A row and the hash of the seal that the ledger keeps for its attempt. */
export interface SealedRow {
  row: Row;
  sealHash: string;
}

/** Writes `rows.jsonl`: the counted rows of what is done, in plan order. */
export async function writeRows(
  layout: BundleLayout,
  episodes: readonly PlannedEpisode[],
  progress: Progress,
): Promise<Row[]> {
  const rows = progress.rowsInOrder(episodes);
  await writeFileAtomically(layout.rows, rows.map((row) => `${canonicalJson(row)}\n`).join(''));
  return rows;
}

/**
 * The rows of all sealed attempts, in the order in which the ledger has them; so a bundle that was killed has them too.
 * @throws BundleError when the ledger is broken, Error when a row is not there or is not a row.
 */
export async function readSealedRows(layout: BundleLayout): Promise<SealedRow[]> {
  const { records } = await readLedger(layout.ledger);
  const sealed: SealedRow[] = [];
  for (const record of records) {
    if (record.kind !== 'sealed') continue;
    const { row } = layout.attempt(record.episode_id, record.attempt);
    sealed.push({ row: Row.parse(JSON.parse(await readFile(row, 'utf8'))), sealHash: record.seal_hash });
  }
  return sealed;
}

/** The rows that their episodes are counted by, in plan order. */
export async function readCountedRows(layout: BundleLayout): Promise<Row[]> {
  const sealed = await readSealedRows(layout);
  const counted = sealed.map(({ row }) => row).filter(({ counts }) => counts);
  return counted.toSorted((a, b) => a.plan_index - b.plan_index);
}
