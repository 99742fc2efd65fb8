import { existsSync, statSync } from 'node:fs';
import { type BundleLayout, bundleLayout } from '../../bundle/layout.ts';
import type { Row } from '../../bundle/row.ts';
import { DatasetError } from '../../dataset/dataset-error.ts';
import type { RunRecord } from '../../dataset/webarena-verified/judge-row.ts';
import { requestsIn } from '../../dataset/webarena-verified/run-folder.ts';
import { harOf } from '../../export/har.ts';
import { fact } from '../../messages/messages.ts';
import type { CampaignFile } from '../../plan/campaign-file.ts';
import { packageVersion } from '../../plan/package-root.ts';
import { PlannedEpisodes } from '../../plan/part-of-plan.ts';
import { taskName } from '../../task/instance.ts';
import { openBundle, verifiedRows } from '../bundles.ts';

/** A run of a task, as an episode or a folder of another benchmark keeps it. */
export interface StoredRun {
  /** The id of the task in its data set. */
  id: string;
  run: string;
  record: RunRecord;
}

export function isBundle(place: string): boolean {
  return existsSync(bundleLayout(place).campaign) || (existsSync(place) && statSync(place).isFile());
}

/**
 * The planned episodes of tasks whose tags name tasks of the data set, also those that have no row yet.
 * @throws DatasetError without one
 */
export async function runsInBundle(place: string, dataset: string): Promise<StoredRun[]> {
  using opened = await openBundle(place);
  const { layout } = opened;
  const rows = new Map<string, Row>();
  const { campaign } = await verifiedRows(layout, (row) => {
    rows.set(row.episode_id, row);
  });
  const runs: StoredRun[] = [];
  for (const { episodeId, iteration, planned, agent, surface } of new PlannedEpisodes(campaign).inOrder) {
    const { task } = planned;
    const run = `${taskName(task)} #${iteration + 1} ${agent}/${surface}`;
    const row = rows.get(episodeId);
    for (const id of idsIn(task.tags, dataset)) {
      const record = row === undefined ? NOTHING : await recordOf(row, layout, campaign);
      runs.push({ id, run, record: { ...record, goal: task.goal } });
    }
  }
  if (runs.length === 0) throw new DatasetError(fact('no_tagged_tasks', { bundle: place, dataset }));
  return runs;
}

function idsIn(tags: readonly string[] = [], dataset: string): Set<string> {
  const start = `${dataset}:`;
  return new Set(tags.filter((tag) => tag.startsWith(start)).map((tag) => tag.slice(start.length)));
}

const NOTHING: RunRecord = { response: null, exchanges: null };

/** Without evidence, nothing is known of the answer either. */
async function recordOf(row: Row, layout: BundleLayout, { campaign_id, plan_hash }: CampaignFile): Promise<RunRecord> {
  const source = { campaign_id, plan_hash, seal_hash: null, touchstone: packageVersion() };
  const har = await harOf(row, { layout, source });
  return har === null ? NOTHING : { response: said(row), ...requestsIn(har) };
}

function said({ answer }: Row): string {
  return answer !== null && 'value' in answer ? String(answer.value) : '';
}
