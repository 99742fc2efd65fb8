import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type BlobStore, openBlobs } from '../bundle/blobs.ts';
import { loadEvidence } from '../bundle/evidence-file.ts';
import { bundleLayout, type BundleLayout } from '../bundle/layout.ts';
import { readCountedRows } from '../bundle/sealed-rows.ts';
import type { Redactor } from '../bundle/redact.ts';
import type { Row } from '../bundle/row.ts';
import { hashJson } from '../contract/canonical.ts';
import { FailedSteps } from '../episode/failed-steps.ts';
import type { Entrants } from '../plan/entrants.ts';
import { CampaignError } from '../plan/error.ts';
import { type Plan, planHash } from '../plan/plan.ts';
import { planCampaign } from '../plan/plan-campaign.ts';
import type { CampaignListener, Campaign } from '../run/campaign.ts';
import { type CampaignOutcome, runCampaign } from '../run/run-campaign.ts';
import type { Workers } from '../run/worker-count.ts';
import { recordedEvents } from '../row/recorded.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import type { ListedTrial } from './listed-trials.ts';
import { followsSolution, type QualifyingTrial } from './trials.ts';

export interface MakeOptions {
  suite: LoadedSuite;
  /** As the suite was named. */
  suiteName: string;
  entrants: Entrants;
  seed: number;
  /** The folder of a task's trials, whose plan has this hash; a run that was ended early is continued there. */
  folderFor: (task: string, hash: string) => string;
  /** Makes trials that are done already a second time. */
  again: boolean;
  /** Number of trials that run at once. */
  workers: Workers;
  listener: CampaignListener;
  signal: AbortSignal;
  redactor: Redactor;
}

/** A trial that was made now, and how long it took, in ms. */
export interface Made {
  trial: QualifyingTrial;
  ms: number;
}

/** The bundle that trials left; `made` has them by name, and is null when they were ended early. */
export interface MadeTrials {
  folder: string;
  made: ReadonlyMap<string, Made> | null;
}

/** Runs some trials of a task as a campaign, which leaves a bundle that shows them. */
export async function makeTrials(
  task: string,
  trials: readonly ListedTrial[],
  options: MakeOptions,
): Promise<MadeTrials> {
  const { suite, suiteName, entrants, workers, listener, signal, redactor } = options;
  const plan = await planOf(task, trials, options);
  // A plan names agents and not what they do, so that is hashed with it.
  const hash = hashJson({ plan: planHash(plan), does: trials.map(({ id, does }) => ({ id, does: does ?? null })) });
  const folder = options.folderFor(task, hash);
  const layout = bundleLayout(folder);
  if (options.again && existsSync(layout.seal)) await rm(folder, { recursive: true });
  const common = {
    plan,
    suites: [suite],
    entrants,
    suiteNames: [suiteName],
    folder,
    workers,
    listener,
    signal,
    redactor,
  };
  const { complete } = await runOrContinue({ ...common, proves: true });
  if (!complete) return { folder, made: null };
  const blobs = openBlobs(layout.blobs);
  const made = new Map<string, Made>();
  for (const row of await readCountedRows(layout)) {
    const listed = trials.find(({ agent, surface }) => agent === row.agent && surface === row.surface);
    const trial = await trialIn(row, blobs, layout);
    if (listed !== undefined && trial !== null) made.set(listed.id, { trial, ms: lastedMs(row) });
  }
  return { folder, made };
}

async function planOf(
  task: string,
  trials: readonly ListedTrial[],
  { suite, entrants, seed }: MakeOptions,
): Promise<Plan> {
  const plan = await planCampaign(
    {
      suites: [suite],
      agents: [...new Set(trials.map(({ agent }) => agent))],
      surfaces: null,
      only: [task],
      iterations: 1,
      seed,
      isolation: 'context',
      browserKind: 'full',
      live: false,
      faults: null,
    },
    entrants,
  );
  return { ...plan, entrants: trials.map(({ agent, surface }) => ({ agent, surface })) };
}

/** Trials of another code, app or machine are of no use to this proof. */
async function runOrContinue(campaign: Campaign): Promise<CampaignOutcome> {
  if (!existsSync(bundleLayout(campaign.folder).campaign)) return await runCampaign(campaign);
  try {
    return await runCampaign({ ...campaign, resume: true });
  } catch (error) {
    if (!(error instanceof CampaignError) || error.code !== 'cannot_resume') throw error;
    await rm(campaign.folder, { recursive: true });
    return await runCampaign(campaign);
  }
}

/** Duration of an episode, in ms. */
export function lastedMs({ started_at: from, ended_at: to }: Pick<Row, 'started_at' | 'ended_at'>): number {
  return from === null || to === null ? 0 : Date.parse(to) - Date.parse(from);
}

/** Null of a row of an episode that could not be run. */
async function trialIn(row: Row, blobs: BlobStore, layout: BundleLayout): Promise<QualifyingTrial | null> {
  const { stop, detail, final_url: finalUrl, artifacts } = row;
  if (stop === null) return null;
  const { evidence_start: start, evidence_end: end } = artifacts;
  const failedStep = followsSolution(row.agent) ? await failedStepIn(row, layout) : null;
  return {
    stop,
    detail,
    ...(failedStep === null ? {} : { failedStep }),
    finalUrl,
    start: start === undefined ? null : await loadEvidence(blobs, start),
    end: end === undefined ? null : await loadEvidence(blobs, end),
  };
}

async function failedStepIn(row: Row, layout: BundleLayout): Promise<string | null> {
  if ((row.tool_errors ?? 0) === 0) return null;
  const failed = new FailedSteps();
  for await (const { event } of recordedEvents(layout, row)) failed.take(event);
  return failed.first;
}
