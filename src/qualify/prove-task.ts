import { BundleError } from '../bundle/errors.ts';
import { FailedSteps } from '../episode/failed-steps.ts';
import type { PlannedTask } from '../plan/plan.ts';
import { waiversOf } from '../plan/qualification.ts';
import type { TaskQualification } from '../plan/task-qualification.ts';
import type { CampaignListener } from '../run/campaign.ts';
import { taskName } from '../task/instance.ts';
import {
  differenceIn,
  misjudgedIn,
  judgeTrials,
  leftByReference,
  tooWideIn,
  type WideException,
} from './judge-trials.ts';
import { type JudgedOtherwise, judgedOtherwise } from './judged-otherwise.ts';
import type { QualifyListener, TimeLeft } from './listener.ts';
import { lastedMs, type Made, type MadeTrials, type MakeOptions, makeTrials, readTrials } from './make-trials.ts';
import type { Left } from './correct-end.ts';
import { type StoredTrial, TrialStore } from './stored-trials.ts';
import { judgeTrial, type JudgedTrial } from './judged-trial.ts';
import {
  followsSolution,
  type Ground,
  IDLE,
  listTrials,
  type TaskTrial,
  trialOfRow,
  type TrialSettings,
} from './trials.ts';

export interface ProveOptions extends TrialSettings, Omit<MakeOptions, 'entrants' | 'listener'> {
  store: string;
  listener: QualifyListener;
}

export interface TaskWork {
  name: string;
  planned: PlannedTask;
  trials: TaskTrial[];
  store: TrialStore;
  /** The trials that were made before on the same ground, by id. */
  stored: ReadonlyMap<string, StoredTrial>;
  /** Trials that were not made before; if the solution is known never to pass, only those that come first. */
  due: TaskTrial[];
  leftOut: number;
}

/** Returns the work on a task, given its last proof, which may be stale. */
export async function workOn(
  planned: PlannedTask,
  ground: Ground,
  last: TaskQualification | null,
  { store: root, again, listener }: ProveOptions,
): Promise<TaskWork> {
  const name = taskName(planned.task);
  const trials = listTrials(planned, ground);
  const store = new TrialStore(root, ground.suite.file, name);
  const work: TaskWork = { name, planned, trials, store, stored: new Map(), due: trials, leftOut: 0 };
  try {
    const recorded = last?.trials === undefined ? [] : await store.recorded(last.trials);
    work.stored = await store.matching(recorded, again ? [] : trials);
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    // If one blob was changed, others may be, and a file that exists is not written again.
    await store.clear();
    listener.notUsed(name, error.message);
  }
  const all = trials.filter(({ id }) => !work.stored.has(id));
  const due = (await neverPassed(work, new Map())) ? all.filter(comesFirst) : all;
  return { ...work, due, leftOut: all.length - due.length };
}

/** Whether a trial comes before the others: those of the solution, without which no other proves anything, and those that do nothing. */
function comesFirst({ id, kind }: TaskTrial): boolean {
  return kind === 'reference' || IDLE.includes(id);
}

/** Whether all trials of the solution were made, and none passed. */
async function neverPassed(work: TaskWork, made: ReadonlyMap<string, Made>): Promise<boolean> {
  const own = work.trials.filter(({ kind }) => kind === 'reference');
  for (const trial of own) {
    const judged = await judgedOf(trial, work, made);
    if (judged === null || judged.status === 'passed') return false;
  }
  return own.length > 0;
}

/** Judges a trial that was made before, or now; null if it was not made. */
async function judgedOf(
  trial: TaskTrial,
  { planned, store, stored }: TaskWork,
  made: ReadonlyMap<string, Made>,
): Promise<JudgedTrial | null> {
  const before = stored.get(trial.id);
  const seen = before === undefined ? made.get(trial.id)?.seen : await store.load(before);
  return seen === undefined ? null : judgeTrial(planned, trial, seen);
}

/** Findings of the trials of a task besides its proof. */
export interface TaskFindings {
  /** States that were judged wrongly. */
  otherwise: JudgedOtherwise[];
  /** The traces that distinguish the end of its solution; null if it never passed. */
  left: Left | null;
  /** The exceptions of its guards, if they leave nothing to guard. */
  tooWide: WideException | null;
}

export interface TaskProved extends TaskFindings {
  proof: TaskQualification;
  /** Removes from the store what the proof does not name; to be called once that is written. */
  tidy: () => Promise<void>;
}

type Options = ProveOptions & { left: TimeLeft };

/** Makes the due trials of a task that come first; null if there are none. */
export async function tryFirst(work: TaskWork, ground: Ground, options: Options): Promise<MadeTrials | null> {
  return await make(work, work.due.filter(comesFirst), ground, options);
}

async function make(
  work: TaskWork,
  some: readonly TaskTrial[],
  { entrants }: Ground,
  { left, ...options }: Options,
): Promise<MadeTrials | null> {
  if (some.length === 0) return null;
  return await makeTrials(work.name, some, {
    ...options,
    entrants,
    listener: listenerOf(work, left, options.listener),
  });
}

/**
 * Makes the other trials of a task that are due, and judges all; null if they ended early.
 * @param first the folder of those that came first
 */
export async function proveTask(
  work: TaskWork,
  first: string | null,
  ground: Ground,
  options: Options,
): Promise<{ folder: string | null; proved: TaskProved | null }> {
  const { name, planned, trials, store, stored, due } = work;
  const { left, listener } = options;
  const made = first === null ? new Map<string, Made>() : await readTrials(first, trials);
  const others = due.filter((trial) => !comesFirst(trial));
  const isHopeless = await neverPassed(work, made);
  const rest = isHopeless ? null : await make(work, others, ground, options);
  const folder = rest?.folder ?? null;
  if (rest?.complete === false) return { folder, proved: null };
  if (rest !== null) for (const [id, one] of await readTrials(rest.folder, trials)) made.set(id, one);
  const leftOut = work.leftOut + others.length;
  if (isHopeless) left.drop(others.length);
  if (isHopeless && leftOut > 0) listener.leftOut(name, leftOut);
  const tried: JudgedTrial[] = [];
  const kept: StoredTrial[] = [];
  for (const trial of trials) {
    const { id, key } = trial;
    const [judged, before, now] = [await judgedOf(trial, work, made), stored.get(id), made.get(id)];
    if (judged !== null) tried.push(judged);
    if (before !== undefined) kept.push({ ...before, id });
    else if (now !== undefined && key !== null) {
      const added = await store.add({ id, key, ms: now.ms }, now.seen);
      if (added !== null) kept.push(added);
    }
  }
  const hash = await store.record(kept);
  const all = { planned, tried, waivers: waiversOf(ground.suite, name) };
  const proof = judgeTrials(all);
  const waived = proof.breadth?.made_routes.flatMap(({ route, waived: why }) => (why === null ? [] : [route])) ?? [];
  const unwaived = tried.filter(({ trial }) => !waived.includes(trial.id));
  const proved: TaskProved = {
    proof: { ...proof, trials: hash },
    otherwise: judgedOtherwise(unwaived, misjudgedIn(all, proof), differenceIn(all)),
    left: leftByReference(all),
    tooWide: tooWideIn(all),
    tidy: () => store.keepOnly(hash, kept),
  };
  return { folder, proved };
}

function listenerOf({ trials }: TaskWork, left: TimeLeft, listener: QualifyListener): CampaignListener {
  const steps = new Map<string, FailedSteps>();
  return {
    earlier: () => left.drop(1),
    event: ({ agent, episodeId }, event) => {
      if (!followsSolution(agent)) return;
      const ofEpisode = steps.get(episodeId) ?? new FailedSteps();
      steps.set(episodeId, ofEpisode);
      ofEpisode.take(event);
    },
    finished: (row) => {
      left.finish(lastedMs(row));
      const failedStep = steps.get(row.episode_id)?.first ?? null;
      listener.finished(row, left, { does: trialOfRow(trials, row)?.what ?? null, failedStep });
    },
  };
}
