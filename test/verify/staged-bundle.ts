import { mkdir, writeFile } from 'node:fs/promises';
import { openBlobs } from '../../src/bundle/blobs.ts';
import { storeEvidence } from '../../src/bundle/evidence-file.ts';
import { type BundleLayout, bundleLayout } from '../../src/bundle/layout.ts';
import { openLedger } from '../../src/bundle/ledger.ts';
import { finishRow, type Row, type RowDraft } from '../../src/bundle/row.ts';
import { eachSealedRow, sealRow } from '../../src/bundle/sealed-rows.ts';
import { type CampaignFile, writeCampaignFile } from '../../src/plan/campaign-file.ts';
import { episodesOf, planHash } from '../../src/plan/plan.ts';
import { rejudge, type Rejudgement } from '../../src/verify/rejudge.ts';
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
  /** How many attempts before it broke down before they began. */
  brokenBefore?: number;
  /** Changes what its events tell. */
  events?: (honest: object[]) => object[];
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
  { tamper, campaign: changed = (honest) => honest, times = 1, brokenBefore = 0, events = (all) => all }: Staging = {},
): Promise<{ layout: BundleLayout; campaign: CampaignFile }> {
  const layout = bundleLayout(await temporaryFolder());
  const blobs = openBlobs(layout.blobs);
  const artifacts = {
    ...(start === undefined ? {} : { evidence_start: (await storeEvidence(blobs, start)).evidence }),
    ...(end === undefined ? {} : { evidence_end: (await storeEvidence(blobs, end)).evidence }),
  };
  const campaign = changed(campaignOf(task));
  await writeCampaignFile(layout, { ...campaign, plan_hash: planHash(campaign.plan) });
  const identity = { ...SAMPLE, ...identityIn(campaign) };
  const declared_done = (row.stop === undefined ? SAMPLE.stop : row.stop) === 'done';
  // What the row says is what the agent said, unless the row is edited.
  const answer = end?.answer ?? null;
  const attempt = brokenBefore + 1;
  const told = { declared_done, answer, final_url: end === undefined ? null : addressOf(end) };
  const finished = finishRow({ ...identity, artifacts, ...told, attempt, ...row });
  const { folder } = layout.attempt(finished.episode_id, finished.attempt);
  const ledger = await openLedger(layout.ledger);
  for (let each = 1; each <= brokenBefore; each += 1) {
    await ledger.append(await sealed(layout, finishRow({ ...identity, ...BROKEN_DOWN, attempt: each })));
  }
  await mkdir(folder, { recursive: true });
  const lines = events(eventsOf(finished)).map((event) => `${JSON.stringify({ event })}\n`);
  if (finished.stop !== null) await writeFile(layout.attempt(finished.episode_id, attempt).events, lines.join(''));
  const entry = await sealed(layout, finished);
  for (let each = 0; each < times; each += 1) await ledger.append(entry);
  await ledger.close();
  await tamper?.({ attempt: folder, blobs: layout.blobs });
  return { layout, campaign };
}

/** Of the page that was active last; null where it was not captured. */
function addressOf({ pages, last_active: active }: Evidence): string | null {
  const page = pages.find(({ id }) => id === active);
  return page?.url.captured === true ? page.url.value : null;
}

const BROKEN_DOWN = {
  counts: false,
  status: 'infra_error',
  stop: 'infra_error',
  goal_verdict: null,
  guard_verdict: null,
  failed_contract: null,
  declared_done: false,
  answer: null,
  artifacts: {},
} as const;

async function sealed(layout: BundleLayout, row: Row) {
  const { episode_id, attempt } = row;
  const seal_hash = await sealRow(layout.attempt(episode_id, attempt), row);
  return { kind: 'sealed', episode_id, attempt, seal_hash } as const;
}

/** What the events of an attempt tell that has this row. */
function eventsOf({ stop, artifacts }: Row): object[] {
  const judged = (['start', 'end'] as const).flatMap((moment) => {
    const name = artifacts[`evidence_${moment}`];
    return name === undefined ? [] : [{ type: 'contract_evaluation', moment, contract: 'success', evidence: name }];
  });
  return [{ type: 'reset' }, ...judged, { type: 'stop', stop }];
}

const MODEL: CampaignFile['pins']['models'][string] = {
  model_id: 'vendor/model-1',
  model_endpoint: 'api.vendor.example',
  endpoint_kind: 'provider',
  temperature: 0,
  max_output_tokens: 4_096,
  prompt_hash: '6'.repeat(64),
  price_table: 'vendor-2026-01-01',
  call_timeout_ms: 90_000,
  max_retries: 2,
};

/** What the row of a campaign's first episode says of itself. */
function identityIn({ plan, pins }: CampaignFile): Partial<RowDraft> {
  const [episode] = episodesOf(plan);
  if (episode === undefined) return {};
  const { episodeId: episode_id, planIndex: plan_index, iteration, planned, agent } = episode;
  const { task, task_hash, contract_hash } = planned;
  const model = pins.models[agent];
  const ofModel = model === undefined ? { turns: null, cost_usd: null } : { turns: 50, cost_usd: 0.5 };
  const caps = { steps: task.maxSteps, wall_ms: task.maxDurationMs, tokens: null, ...ofModel };
  const endpoint_kind = model?.endpoint_kind ?? 'none';
  const category = task.category ?? null;
  return {
    episode_id,
    plan_index,
    iteration,
    agent,
    task: task.id,
    category,
    task_hash,
    contract_hash,
    caps,
    endpoint_kind,
  };
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
      isolations: { [SAMPLE.surface]: 'context' },
      call_timeout_ms: 30_000,
      models: { [SAMPLE.agent]: MODEL },
      entrant_hashes: {},
      app_hashes: {},
      world_kinds: {},
      archive_hashes: {},
      transcript_hashes: {},
      qualifications: {},
    },
    suites: [SAMPLE.suite],
    entrant_files: { agents: [], surfaces: [] },
  };
}
