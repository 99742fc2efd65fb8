import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type BlobStore, openBlobs } from '../bundle/blobs.ts';
import { loadEvidence } from '../bundle/evidence-file.ts';
import { bundleLayout } from '../bundle/layout.ts';
import type { Row } from '../bundle/row.ts';
import { readCampaignFile } from '../plan/campaign-file.ts';
import { Entrants } from '../plan/entrants.ts';
import { CampaignError } from '../plan/error.ts';
import type { CampaignListener } from '../run/listener.ts';
import { type Plan, planCampaign, planHash } from '../plan/plan.ts';
import { type Qualification, waiversOf } from '../plan/qualification.ts';
import { closeSuiteWorld, loadSuiteWorld } from '../run/suite-world.ts';
import { type CampaignOptions, type CampaignOutcome, runCampaign } from '../run/run-campaign.ts';
import { hashJson } from '../contract/canonical.ts';
import type { Redactor } from '../bundle/redact.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { nameOf, taskName } from '../task/instance.ts';
import { proofsToKeep } from './earlier-proofs.ts';
import { judgeTrials, type Tried } from './judge-trials.ts';
import {
  agentsOf,
  type FurtherTrials,
  perturbationsFor,
  type Trials,
  trialOf,
  trialsOf,
  type TrialSettings,
} from './trials.ts';

export interface QualifyOptions extends TrialSettings, FurtherTrials {
  suite: LoadedSuite;
  /** As the suite was named. */
  suiteName: string;
  /** Only these tasks; null for all. */
  only: readonly string[] | null;
  /** The folder of a plan's trials; a run that was ended early is continued there. */
  folderFor: (hash: string) => string;
  listener: CampaignListener;
  signal: AbortSignal;
  redactor: Redactor;
}

/** What was proved, and the bundle that shows it. `proof`: null when the trials were ended early. */
export interface Qualified {
  folder: string;
  /** The tasks that were tried now. */
  tried: string[];
  proof: Qualification | null;
}

/**
 * Tries all that must pass and all that must not on each task of a suite, and judges what came of it.
 * @throws CampaignError when it cannot start, BrowserError when there is no browser.
 */
export async function qualify(options: QualifyOptions): Promise<Qualified> {
  const { suite, only, surface, seed, folderFor } = options;
  const tasks = suite.tasks.map(({ task }) => task);
  const trials = trialsOf(tasks, options);
  const entrants = await Entrants.load({}, null, trials.agents);
  const planned = await planCampaign(
    {
      suites: [suite],
      agents: agentsOf(trials),
      surfaces: [surface],
      only,
      iterations: 1,
      seed,
      isolation: 'context',
      browserKind: 'full',
      live: false,
      faults: null,
    },
    entrants,
  );
  const plan = { ...planned, entrants: [...planned.entrants, ...trials.toolRoutes.map(({ entrant }) => entrant)] };
  const tried = plan.tasks.map(({ task }) => taskName(task));
  // A plan names agents and not what they do, so that is hashed with it.
  const perturbed = tasks.map((task) => perturbationsFor(task, tasks, options));
  const folder = folderFor(hashJson({ plan: planHash(plan), perturbed }));
  // Before anything is tried, as well as when it is written: somebody else may have made a proof meanwhile.
  await proofsToKeep(suite, await headNow(options), tried);
  const { listener, signal, suiteName, redactor } = options;
  const { complete, rows } = await runOrContinue({
    plan,
    suites: [suite],
    entrants,
    suiteNames: [suiteName],
    folder,
    listener,
    signal,
    redactor,
    proves: true,
  });
  if (!complete) return { folder, tried, proof: null };
  return { folder, tried, proof: await proofOf(options, plan, trials, { folder, rows, tried }) };
}

/** Trials of another code, app or machine are of no use to this proof. */
async function runOrContinue(options: Omit<CampaignOptions, 'resume'>): Promise<CampaignOutcome> {
  if (!existsSync(bundleLayout(options.folder).campaign)) return await runCampaign({ ...options, resume: false });
  try {
    return await runCampaign({ ...options, resume: true });
  } catch (error) {
    if (!(error instanceof CampaignError) || error.code !== 'cannot_resume') throw error;
    await rm(options.folder, { recursive: true });
    return await runCampaign({ ...options, resume: false });
  }
}

async function proofOf(
  options: QualifyOptions,
  plan: Plan,
  trials: Trials,
  { folder, rows, tried: names }: { folder: string; rows: readonly Row[]; tried: readonly string[] },
): Promise<Qualification> {
  const { suite } = options;
  const layout = bundleLayout(folder);
  const { pins } = await readCampaignFile(layout);
  const blobs = openBlobs(layout.blobs);
  const tasks = suite.tasks.map(({ task }) => task);
  const head = headOf(options, pins.app_hashes[suite.id] ?? '');
  const proved = new Map(Object.entries(await proofsToKeep(suite, head, names)));
  for (const planned of plan.tasks) {
    const name = taskName(planned.task);
    const own = rows.filter((row) => nameOf(row.task, row.instance) === name);
    const tried = new Map<string, Tried>();
    for (const row of own) tried.set(trialOf(row, trials), await triedIn(row, blobs));
    const chosen = perturbationsFor(planned.task, tasks, options);
    proved.set(name, judgeTrials({ planned, trials, tried, perturbations: chosen, waivers: waiversOf(suite, name) }));
  }
  return { ...head, tasks: Object.fromEntries([...proved].toSorted(([a], [b]) => (a < b ? -1 : 1))) };
}

/** How a proof that is made now begins. */
async function headNow(options: QualifyOptions): Promise<Omit<Qualification, 'tasks'>> {
  const world = await loadSuiteWorld(options.suite);
  closeSuiteWorld(world);
  return headOf(options, world.appHash);
}

function headOf(
  { suite, surface, seed, repetitions, perturbations }: QualifyOptions,
  appHash: string,
): Omit<Qualification, 'tasks'> {
  const settings = { surface, seed, repetitions, perturbations };
  return { schema_version: 3, suite: suite.id, ...settings, app_hash: appHash };
}

async function triedIn(row: Row, blobs: BlobStore): Promise<Tried> {
  const { evidence_start: start, evidence_end: end } = row.artifacts;
  return {
    row,
    start: start === undefined ? null : await loadEvidence(blobs, start),
    end: end === undefined ? null : await loadEvidence(blobs, end),
  };
}
