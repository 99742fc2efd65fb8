import { openBlobs } from '../../src/bundle/blobs.ts';
import { storeEvidence } from '../../src/bundle/evidence-file.ts';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { finishRow, type RowDraft } from '../../src/bundle/row.ts';
import { sealRow } from '../../src/bundle/sealed-rows.ts';
import type { CampaignFile } from '../../src/campaign/campaign-file.ts';
import { rejudge, type Rejudgement } from '../../src/check/rejudge.ts';
import type { Evidence } from '../../src/contract/evidence.ts';
import { contractHash, taskHash, type Task } from '../../src/task/schema.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** What an attempt left: its evidence, and what its row says. */
export interface StagedAttempt {
  task: Task;
  start?: Evidence;
  end?: Evidence;
  row: Partial<RowDraft>;
}

/** A bundle of one attempt in a temporary folder. `tamper` gets its folders before it is judged again. */
export async function rejudged(
  { task, start, end, row }: StagedAttempt,
  tamper: (folders: { attempt: string; blobs: string }) => Promise<void> = async () => {},
): Promise<Rejudgement[]> {
  const layout = bundleLayout(await temporaryFolder());
  const blobs = openBlobs(layout.blobs);
  const artifacts = {
    ...(start === undefined ? {} : { evidence_start: (await storeEvidence(blobs, start)).evidence }),
    ...(end === undefined ? {} : { evidence_end: (await storeEvidence(blobs, end)).evidence }),
  };
  const finished = finishRow({ ...SAMPLE, task: task.id, artifacts, ...row });
  const attempt = layout.attempt(finished.episode_id, finished.attempt);
  const sealHash = await sealRow(attempt, finished);
  await tamper({ attempt: attempt.folder, blobs: layout.blobs });
  const judged: Rejudgement[] = [];
  for await (const each of rejudge(layout, campaignOf(task), [{ row: finished, sealHash }])) judged.push(each);
  return judged;
}

function campaignOf(task: Task): CampaignFile {
  const hash = '0'.repeat(64);
  const planned = { suite: SAMPLE.suite, task, task_hash: taskHash(task), contract_hash: contractHash(task) };
  return {
    schema_version: 1,
    campaign_id: SAMPLE.campaign_id,
    created_at: '2026-01-01T12:00:00.000Z',
    plan_hash: hash,
    plan: {
      schema_version: 1,
      tasks: [{ ...planned, screenshot_classes: {} }],
      entrants: [{ agent: SAMPLE.agent, surface: SAMPLE.surface }],
      iterations: 1,
      seed: 1,
      max_steps: null,
      isolation: 'context',
      browser_kind: 'shell',
      live: false,
      settle_ms: 300,
      max_attempts: 3,
    },
    pins: {
      bench_version: SAMPLE.bench_version,
      bench_commit: null,
      bench_dirty: null,
      judge_version: SAMPLE.judge_version,
      node: process.version,
      platform: 'test',
      cpu: 'test',
      browser: { name: 'chromium', version: '1', build: '1', kind: 'shell', ours: true, sandbox: true },
      surfaces: {},
      app_hashes: {},
      transcript_hashes: {},
    },
    suites: [SAMPLE.suite],
  };
}
