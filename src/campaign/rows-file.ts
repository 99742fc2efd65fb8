import { canonicalJson } from '../contract/canonical.ts';
import { writeFileAtomically } from '../bundle/atomic-file.ts';
import { readJsonLines } from '../bundle/jsonl.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import { Row } from '../bundle/row.ts';
import type { PlannedEpisode } from './plan.ts';
import type { Progress } from './progress.ts';

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

/** @throws BundleError or ZodError naming what is not a row. */
export async function readRows(layout: BundleLayout): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const line of readJsonLines(layout.rows)) if (!line.torn) rows.push(Row.parse(line.value));
  return rows;
}
