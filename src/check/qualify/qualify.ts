import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type BlobStore, openBlobs } from '../../bundle/blobs.ts';
import { loadEvidence } from '../../bundle/evidence-file.ts';
import { bundleLayout } from '../../bundle/layout.ts';
import type { Row } from '../../bundle/row.ts';
import { readCampaignFile } from '../../campaign/campaign-file.ts';
import { Entrants } from '../../campaign/entrants.ts';
import { CampaignError } from '../../campaign/error.ts';
import type { CampaignListener } from '../../campaign/listener.ts';
import { type Plan, planCampaign, planHash } from '../../campaign/plan.ts';
import {
  isOfSetting,
  isOfTask,
  type Qualification,
  readQualification,
  waiversOf,
} from '../../campaign/qualification.ts';
import type { TaskQualification } from '../../campaign/task-qualification.ts';
import { type CampaignOptions, type CampaignOutcome, runCampaign } from '../../campaign/run-campaign.ts';
import { hashJson } from '../../contract/canonical.ts';
import type { Redactor } from '../../episode/ports.ts';
import type { LoadedSuite } from '../../task/load-suite.ts';
import { nameOf, taskName } from '../../task/instance.ts';
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
      maxSteps: null,
      isolation: 'context',
      browserKind: 'full',
      live: false,
      faults: null,
    },
    entrants,
  );
  const plan = { ...planned, entrants: [...planned.entrants, ...trials.toolRoutes.map(({ entrant }) => entrant)] };
  // A plan names agents and not what they do, so that is hashed with it.
  const perturbed = tasks.map((task) => perturbationsFor(task, tasks, options));
  const folder = folderFor(hashJson({ plan: planHash(plan), perturbed }));
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
  const tried = plan.tasks.map(({ task }) => taskName(task));
  if (!complete) return { folder, tried, proof: null };
  return { folder, tried, proof: await proofOf(options, plan, trials, { folder, rows }) };
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
  { suite, surface, seed, repetitions, perturbations }: QualifyOptions,
  plan: Plan,
  trials: Trials,
  { folder, rows }: { folder: string; rows: readonly Row[] },
): Promise<Qualification> {
  const layout = bundleLayout(folder);
  const { pins } = await readCampaignFile(layout);
  const blobs = openBlobs(layout.blobs);
  const tasks = suite.tasks.map(({ task }) => task);
  const head = {
    schema_version: 2 as const,
    suite: suite.id,
    surface,
    seed,
    repetitions,
    perturbations,
    judge_version: pins.judge_version,
    app_hash: pins.app_hashes[suite.id] ?? '',
  };
  const proved = new Map(Object.entries(await othersOf(suite, head)));
  for (const planned of plan.tasks) {
    const name = taskName(planned.task);
    const own = rows.filter((row) => nameOf(row.task, row.instance) === name);
    const tried = new Map<string, Tried>();
    for (const row of own) tried.set(trialOf(row, trials), await triedIn(row, blobs));
    const settings = { seed, repetitions, perturbations };
    const chosen = perturbationsFor(planned.task, tasks, settings);
    proved.set(name, judgeTrials({ planned, trials, tried, perturbations: chosen, waivers: waiversOf(suite, name) }));
  }
  return { ...head, tasks: Object.fromEntries([...proved].toSorted(([a], [b]) => (a < b ? -1 : 1))) };
}

/** What an earlier proof of the same kind says of the tasks that are as they were. */
async function othersOf(
  suite: LoadedSuite,
  head: Omit<Qualification, 'tasks'>,
): Promise<Record<string, TaskQualification>> {
  const earlier = await readQualification(suite);
  if (earlier === null || !isOfSetting(earlier, { judge: head.judge_version, appHash: head.app_hash })) return {};
  const isSame = (['surface', 'seed', 'repetitions', 'perturbations'] as const).every(
    (key) => earlier[key] === head[key],
  );
  if (!isSame) return {};
  const current = suite.tasks.flatMap(({ task }) => {
    const found = earlier.tasks[taskName(task)];
    return found !== undefined && isOfTask(found, task, waiversOf(suite, taskName(task)))
      ? [[taskName(task), found] as const]
      : [];
  });
  return Object.fromEntries(current);
}

async function triedIn(row: Row, blobs: BlobStore): Promise<Tried> {
  const { evidence_start: start, evidence_end: end } = row.artifacts;
  return {
    row,
    start: start === undefined ? null : await loadEvidence(blobs, start),
    end: end === undefined ? null : await loadEvidence(blobs, end),
  };
}
