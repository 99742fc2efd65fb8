import { type BundleLayout, bundleLayout } from '../../src/bundle/layout.ts';
import { openLedger } from '../../src/bundle/ledger.ts';
import { finishRow, type Row } from '../../src/bundle/row.ts';
import { sealRow } from '../../src/bundle/sealed-rows.ts';
import { SAMPLE } from './sample-row.ts';

export function episodeIdOf(planIndex: number): string {
  return planIndex.toString(16).padStart(32, '0');
}

/** The row of one attempt of the episode with this place in the plan. One that does not count had an infrastructure error. */
export function rowOf(planIndex: number, attempt = 1, counts = true): Row {
  const infraError: Partial<Row> = {
    counts: false,
    status: 'infra_error',
    stop: 'infra_error',
    declared_done: false,
  };
  return finishRow({
    ...SAMPLE,
    episode_id: episodeIdOf(planIndex),
    plan_index: planIndex,
    attempt,
    ...(counts ? {} : infraError),
  });
}

/** Leaves what a campaign leaves that has run these attempts in this order; `killed` ones were started and not finished. */
export async function bundleOfRows(
  folder: string,
  attempts: readonly (Row | { killed: Row })[],
): Promise<BundleLayout> {
  const layout = bundleLayout(folder);
  const ledger = await openLedger(layout.ledger);
  for (const each of attempts) {
    const row = 'killed' in each ? each.killed : each;
    const { episode_id, attempt, run_id } = row;
    await ledger.append({ kind: 'started', episode_id, attempt, run_id });
    if ('killed' in each) continue;
    const seal_hash = await sealRow(layout.attempt(episode_id, attempt), row);
    await ledger.append({ kind: 'sealed', episode_id, attempt, seal_hash });
  }
  await ledger.close();
  return layout;
}
