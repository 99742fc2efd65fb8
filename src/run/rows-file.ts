import { rm } from 'node:fs/promises';
import { writeFileAtomically } from '../bundle/atomic-file.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { Row } from '../bundle/row.ts';
import { canonicalJson } from '../contract/canonical.ts';

/** Writes `rows.jsonl`, which has the counted rows of what is done, in plan order, one row at a time. */
export async function writeRows(layout: BundleLayout, rows: AsyncIterable<Row>): Promise<void> {
  await writeFileAtomically(layout.rows, linesOf(rows));
}

async function* linesOf(rows: AsyncIterable<Row>): AsyncGenerator<string, void> {
  for await (const row of rows) yield `${canonicalJson(row)}\n`;
}

/** Removes the rows and reports of an earlier stop: once more episodes are run they are not what the rows come to, and a kill would leave them. */
export async function removeDerived(layout: BundleLayout): Promise<void> {
  const reports = (['json', 'md', 'html'] as const).map((format) => layout.report(format));
  for (const file of [layout.rows, ...reports]) await rm(file, { force: true });
}
