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
import type { QualifyingTrial } from './judged-trial.ts';
import { followsSolution, type TaskTrial, trialOfRow } from './trials.ts';

export interface MakeOptions {
  suite: LoadedSuite;
  /** As it was typed. */
  suiteName: string;
  entrants: Entrants;
  seed: number;
  /** Returns the folder for a task's trials by the hash of their plan; a run that ended early continues there. */
  folderFor: (task: string, hash: string) => string;
  /** Repeats trials that are done already. */
  again: boolean;
  workers: Workers;
  listener: CampaignListener;
  signal: AbortSignal;
  redactor: Redactor;
}

export interface Made {
  seen: QualifyingTrial;
  ms: number;
}

/** The bundle of some trials; `complete` is false if they ended early. */
export interface MadeTrials {
  folder: string;
  complete: boolean;
}

/** Runs some trials of a task as a campaign, which leaves a bundle. */
export async function makeTrials(
  task: string,
  trials: readonly TaskTrial[],
  options: MakeOptions,
): Promise<MadeTrials> {
  const { suite, suiteName, entrants, workers, listener, signal, redactor } = options;
  const plan = await planOf(task, trials, options);
  // A plan names agents but not their steps.
  const hash = hashJson({ plan: planHash(plan), does: trials.map(({ id, does }) => ({ id, does: does ?? null })) });
  const folder = options.folderFor(task, hash);
  const layout = bundleLayout(folder);
  if (options.again && existsSync(layout.seal)) await rm(folder, { recursive: true });
  const given = { plan, entrants, folder, workers, listener, signal, redactor };
  const { complete } = await runOrContinue({ ...given, suites: [suite], suiteNames: [suiteName], proves: true });
  return { folder, complete };
}

/** Reads trials that were made, by id. */
export async function readTrials(folder: string, trials: readonly TaskTrial[]): Promise<Map<string, Made>> {
  const layout = bundleLayout(folder);
  const blobs = openBlobs(layout.blobs);
  const made = new Map<string, Made>();
  for (const row of await readCountedRows(layout)) {
    const listed = trialOfRow(trials, row);
    const seen = await trialIn(row, blobs, layout);
    if (listed !== undefined && seen !== null) made.set(listed.id, { seen, ms: lastedMs(row) });
  }
  return made;
}

async function planOf(
  task: string,
  trials: readonly TaskTrial[],
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

/** Continues a run that ended early, unless it was of other code, app or machine. */
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

export function lastedMs({ started_at: from, ended_at: to }: Pick<Row, 'started_at' | 'ended_at'>): number {
  return from === null || to === null ? 0 : Date.parse(to) - Date.parse(from);
}

/** Returns null for an episode that could not be run. */
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
