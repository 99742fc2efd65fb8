import { openBlobs } from '../../src/bundle/blobs.ts';
import { storeEvidence } from '../../src/bundle/evidence-file.ts';
import { type BundleLayout, bundleLayout } from '../../src/bundle/layout.ts';
import { openLedger } from '../../src/bundle/ledger.ts';
import { finishRow, type RowDraft } from '../../src/bundle/row.ts';
import { eachSealedRow, sealRow } from '../../src/bundle/sealed-rows.ts';
import { type CampaignFile, writeCampaignFile } from '../../src/campaign/campaign-file.ts';
import { episodesOf, planHash } from '../../src/campaign/plan.ts';
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

interface Staging {
  /** Gets the folders before they are judged again. */
  tamper?: (folders: { attempt: string; blobs: string }) => Promise<void>;
  /** Changes what campaign.json says. */
  campaign?: (honest: CampaignFile) => CampaignFile;
  /** How often the ledger has the row. */
  times?: number;
}

/** What comes of judging a bundle of one attempt again. */
export async function rejudged(attempt: StagedAttempt, staging: Staging = {}): Promise<Rejudgement[]> {
  const { layout, campaign } = await stagedBundle(attempt, staging);
  const judged: Rejudgement[] = [];
  for await (const each of rejudge(layout, campaign, eachSealedRow(layout))) judged.push(each);
  return judged;
}

/** A bundle of one attempt in a temporary folder. */
export async function stagedBundle(
  { task, start, end, row }: StagedAttempt,
  { tamper, campaign: changed = (honest) => honest, times = 1 }: Staging = {},
): Promise<{ layout: BundleLayout; campaign: CampaignFile }> {
  const layout = bundleLayout(await temporaryFolder());
  const blobs = openBlobs(layout.blobs);
  const artifacts = {
    ...(start === undefined ? {} : { evidence_start: (await storeEvidence(blobs, start)).evidence }),
    ...(end === undefined ? {} : { evidence_end: (await storeEvidence(blobs, end)).evidence }),
  };
  const campaign = changed(campaignOf(task));
  await writeCampaignFile(layout, { ...campaign, plan_hash: planHash(campaign.plan) });
  const finished = finishRow({ ...SAMPLE, ...identityIn(campaign), artifacts, ...row });
  const { episode_id, attempt } = finished;
  const { folder } = layout.attempt(episode_id, attempt);
  const seal_hash = await sealRow(layout.attempt(episode_id, attempt), finished);
  const ledger = await openLedger(layout.ledger);
  for (let each = 0; each < times; each += 1) {
    await ledger.append({ kind: 'sealed', episode_id, attempt, seal_hash });
  }
  await ledger.close();
  await tamper?.({ attempt: folder, blobs: layout.blobs });
  return { layout, campaign };
}

/** What the row of a campaign's first episode says of itself. */
function identityIn({ plan }: CampaignFile): Partial<RowDraft> {
  const [episode] = episodesOf(plan);
  if (episode === undefined) return {};
  const { episodeId: episode_id, planIndex: plan_index, iteration, planned } = episode;
  const { task, task_hash, contract_hash } = planned;
  return { episode_id, plan_index, iteration, task: task.id, task_hash, contract_hash };
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
