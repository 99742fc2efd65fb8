import { writeFileAtomically } from '../bundle/atomic-file.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { Row } from '../bundle/row.ts';
import { canonicalJson } from '../contract/canonical.ts';

/** Writes `rows.jsonl`, which has the counted rows of what is done, in plan order, and hands them back. */
export async function writeRows(layout: BundleLayout, rows: Row[]): Promise<Row[]> {
  await writeFileAtomically(layout.rows, rows.map((row) => `${canonicalJson(row)}\n`).join(''));
  return rows;
}
