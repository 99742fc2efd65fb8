import { writeFileAtomically } from '../bundle/atomic-file.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { Row } from '../bundle/row.ts';
import { canonicalJson } from '../contract/canonical.ts';
import type { PlannedEpisode } from '../plan/plan.ts';
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
