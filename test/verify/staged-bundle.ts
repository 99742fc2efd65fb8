import { mkdir, writeFile } from 'node:fs/promises';
import { openBlobs } from '../../src/bundle/blobs.ts';
import { storeEvidence } from '../../src/bundle/evidence-file.ts';
import { type BundleLayout, bundleLayout } from '../../src/bundle/layout.ts';
import { eachLedgerRecord, type Ledger, openLedger } from '../../src/bundle/ledger.ts';
import { finishRow, type Row } from '../../src/bundle/row.ts';
import { sealRow } from '../../src/bundle/sealed-rows.ts';
import type { EpisodeEvent, RecordedEvent } from '../../src/episode/events.ts';
import { type CampaignFile, writeCampaignFile } from '../../src/plan/campaign-file.ts';
import { episodesOf, planHash } from '../../src/plan/plan.ts';
import { PlannedEpisodes } from '../../src/plan/part-of-plan.ts';
import { runIdOf } from '../../src/row/attempt.ts';
import { nothingRecorded, take } from '../../src/row/recorded.ts';
import { rowOf } from '../../src/row/row-of.ts';
import { readAttempts } from '../../src/verify/read-attempts.ts';
import { rejudgeBundle, type Rejudgement } from '../../src/verify/rejudge.ts';
import type { Evidence } from '../../src/contract/evidence.ts';
import { contractHash, taskHash, type Task } from '../../src/task/schema.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { ARIA } from '../plan/sample-plan.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Claims, eventsFor } from './staged-events.ts';

export interface StagedAttempt {
  task: Task;
  start?: Evidence;
  end?: Evidence;
  /** The claims of its events and row; claims that no event has are in the row alone. */
  row: Partial<Row>;
}

interface Staging {
  /** Changes the folders before they are judged again. */
  tamper?: (folders: { attempt: string; blobs: string }) => Promise<void>;
  campaign?: (honest: CampaignFile) => CampaignFile;
  /** Number of times that the ledger has the row. */
  times?: number;
  /** Number of earlier attempts that broke before they began. */
  brokenBefore?: number;
  events?: (honest: EpisodeEvent[]) => object[];
}

export async function rejudged(attempt: StagedAttempt, staging: Staging = {}): Promise<Rejudgement[]> {
  const { layout, campaign } = await stagedBundle(attempt, staging);
  const judged: Rejudgement[] = [];
  const episodes = new PlannedEpisodes(campaign);
  const attempts = readAttempts(layout, campaign, { records: eachLedgerRecord(layout.ledger), episodes });
  for await (const each of rejudgeBundle(layout, campaign, attempts)) judged.push(each);
  return judged;
}

export async function stagedBundle(
  { task, start, end, row }: StagedAttempt,
  { tamper, campaign: changed = (honest) => honest, times = 1, brokenBefore = 0, events = (all) => all }: Staging = {},
): Promise<{ layout: BundleLayout; campaign: CampaignFile }> {
  const layout = bundleLayout(await temporaryFolder());
  const blobs = openBlobs(layout.blobs);
  const stored = async (evidence: Evidence | undefined) =>
    evidence === undefined ? undefined : { name: (await storeEvidence(blobs, evidence)).evidence, evidence };
  const captured = { start: await stored(start), end: await stored(end) };
  const campaign = changed(campaignOf(task));
  await writeCampaignFile(layout, { ...campaign, plan_hash: planHash(campaign.plan) });
  await using ledger = closing(await openLedger(layout.ledger));
  const attempts = new StagedAttempts(layout, campaign, ledger);
  const broken: Claims = { status: 'infra_error', stop: 'infra_error', ...NOTHING };
  for (let each = 1; each <= brokenBefore; each += 1) {
    await attempts.add(eventsFor(broken, attempts, { start: undefined, end: undefined }), {}, { counts: false }, 1);
  }
  const honest = eventsFor({ ...SAMPLE, ...row }, attempts, captured);
  const { attempt } = await attempts.add(honest, { events }, row, times);
  await tamper?.({ attempt: layout.attempt(attempts.episode.episodeId, attempt).folder, blobs: layout.blobs });
  return { layout, campaign };
}

/** A ledger that is also closed if a test writes what it refuses. */
function closing(ledger: Ledger): Ledger & AsyncDisposable {
  return { ...ledger, [Symbol.asyncDispose]: () => ledger.close() };
}

const NOTHING = { goal_verdict: null, guard_verdict: null, failed_contract: null } as const;

class StagedAttempts {
  readonly episode;
  readonly task: Task;
  readonly agent: string;
  readonly surface: string;
  readonly #layout: BundleLayout;
  readonly #campaign: CampaignFile;
  readonly #ledger: Ledger;
  #count = 0;

  constructor(layout: BundleLayout, campaign: CampaignFile, ledger: Ledger) {
    const [episode] = episodesOf(campaign.plan);
    if (episode === undefined) throw new Error('the plan has no episode');
    this.episode = episode;
    this.task = episode.planned.task;
    this.agent = episode.agent;
    this.surface = episode.surface;
    this.#layout = layout;
    this.#campaign = campaign;
    this.#ledger = ledger;
  }

  /** Writes the events, and the row that follows from them, with edits. */
  async add(
    honest: EpisodeEvent[],
    { events = (all) => all }: Pick<Staging, 'events'>,
    edit: Partial<Row>,
    times: number,
  ): Promise<{ attempt: number }> {
    const { episode } = this;
    this.#count += 1;
    const [attempt, startedAt] = [this.#count, new Date()];
    const known = { campaign: this.#campaign, episode, attempt, startedAt, executedIndex: attempt - 1 };
    const recorded = nothingRecorded();
    for (const line of linesOf(honest)) take(recorded, line);
    const row = rowOf({ ...known, errorsBefore: attempt - 1, interruptionsBefore: 0 }, recorded);
    const place = this.#layout.attempt(edit.episode_id ?? episode.episodeId, attempt);
    await mkdir(place.folder, { recursive: true });
    const lines = linesOf(events(honest)).map((line) => `${JSON.stringify(line)}\n`);
    await writeFile(place.events, lines.join(''));
    const seal_hash = await sealRow(place, finishRow({ ...row, ...edit }));
    const of = { episode_id: edit.episode_id ?? episode.episodeId, attempt };
    await this.#ledger.append({ kind: 'started', ...of, run_id: runIdOf(episode, startedAt) });
    for (let each = 0; each < times; each += 1) await this.#ledger.append({ kind: 'sealed', ...of, seal_hash });
    return { attempt };
  }
}

function linesOf<T>(events: readonly T[]): (Omit<RecordedEvent, 'event'> & { event: T })[] {
  return events.map((event, at) => ({ schema_version: 2, seq: at + 1, at_ms: 0, event }));
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

function campaignOf(task: Task): CampaignFile {
  const hash = '0'.repeat(64);
  const planned = { suite: SAMPLE.suite, task, task_hash: taskHash(task), contract_hash: contractHash(task) };
  return {
    schema_version: 2,
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
      semantics: {},
      surfaces: { [SAMPLE.surface]: ARIA },
      deciders: { [SAMPLE.agent]: SAMPLE.decider },
      call_timeout_ms: 30_000,
      models: { [SAMPLE.agent]: MODEL },
      entrant_hashes: {},
      app_hashes: {},
      world_kinds: { [`${SAMPLE.suite}/${task.id}`]: SAMPLE.world_kind },
      archive_hashes: {},
      transcript_hashes: {},
      qualifications: {},
    },
    suites: [SAMPLE.suite],
    entrant_files: { agents: [], surfaces: [] },
  };
}
