import { existsSync, statSync } from 'node:fs';
import { bundleLayout } from '../../bundle/layout.ts';
import type { Row } from '../../bundle/row.ts';
import { DatasetError } from '../../dataset/dataset-error.ts';
import type { RunRecord } from '../../dataset/webarena-verified/judge-row.ts';
import { requestsIn } from '../../dataset/webarena-verified/run-folder.ts';
import { harOf } from '../../export/har.ts';
import { fact } from '../../messages/messages.ts';
import { packageVersion } from '../../plan/package-root.ts';
import { instanceName, nameOfInstance } from '../../task/instance.ts';
import { openBundle, verifiedRows } from '../bundles.ts';

/** What an episode or a folder of another benchmark keeps of a run of a task. */
export interface StoredRun {
  /** The id of the task in its data set. */
  id: string;
  run: string;
  record: RunRecord;
}

export function isBundle(place: string): boolean {
  return existsSync(bundleLayout(place).campaign) || (existsSync(place) && statSync(place).isFile());
}

/** The episodes of tasks that name, by a tag, a task of the data set. @throws DatasetError without one */
export async function runsInBundle(place: string, dataset: string): Promise<StoredRun[]> {
  using opened = await openBundle(place);
  const { layout } = opened;
  const rows: Row[] = [];
  const { campaign } = await verifiedRows(layout, (row) => {
    rows.push(row);
  });
  const ids = new Map(
    campaign.plan.tasks.flatMap(({ suite, task }) => {
      const tag = task.tags?.find((each) => each.startsWith(`${dataset}:`));
      const name = `${suite}/${nameOfInstance(task.id, instanceName(task))}`;
      return tag === undefined ? [] : [[name, tag.slice(dataset.length + 1)] as const];
    }),
  );
  const source = {
    campaign_id: campaign.campaign_id,
    plan_hash: campaign.plan_hash,
    seal_hash: null,
    touchstone: packageVersion(),
  };
  const runs: StoredRun[] = [];
  for (const row of rows) {
    const id = ids.get(`${row.suite}/${nameOfInstance(row.task, row.instance)}`);
    if (id === undefined) continue;
    const har = await harOf(row, { layout, source });
    // Without evidence, nothing is known of the answer.
    const record = har === null ? { response: null, exchanges: null } : { response: said(row), ...requestsIn(har) };
    runs.push({ id, run: `${row.agent}/${row.surface} ${row.iteration}`, record });
  }
  if (runs.length === 0) throw new DatasetError(fact('no_tagged_tasks', { bundle: place, dataset }));
  return runs;
}

function said({ answer }: Row): string {
  return answer !== null && 'value' in answer ? String(answer.value) : '';
}
