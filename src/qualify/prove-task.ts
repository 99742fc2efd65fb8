import type { Status } from '../contract/status.ts';
import { FailedSteps } from '../episode/failed-steps.ts';
import type { PlannedTask } from '../plan/plan.ts';
import { waiversOf } from '../plan/qualification.ts';
import type { TaskQualification } from '../plan/task-qualification.ts';
import type { CampaignListener } from '../run/campaign.ts';
import { taskName } from '../task/instance.ts';
import { differenceIn, judgeTrials, leftByReference, tooWideIn, type WideException } from './judge-trials.ts';
import { type JudgedOtherwise, judgedOtherwise } from './judged-otherwise.ts';
import type { QualifyListener, TimeLeft } from './listener.ts';
import { lastedMs, type Made, type MakeOptions, makeTrials } from './make-trials.ts';
import type { Left } from './right-end.ts';
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
  /** Outcomes of the stored trials of its solution, as its contracts judge them now. */
  references: ReadonlyMap<string, Status>;
  /** Trials that were not made before; if the solution is known never to pass, only those that come first. */
  due: TaskTrial[];
  /** Number of trials that are left out for that. */
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
  const recorded = last?.trials === undefined ? { trials: [], problem: null } : await store.recorded(last.trials);
  const wanted = again ? new Map<string, StoredTrial>() : sameIn(recorded.trials, trials);
  const whole = await store.whole([...wanted.values()]);
  const problem = recorded.problem ?? whole.problem;
  if (problem !== null) {
    // If one blob was changed, others may be, and a file that exists is not written again.
    await store.clear();
    listener.notUsed(name, problem);
  }
  const usable = problem === null ? whole.trials : [];
  const stored = new Map([...wanted].filter(([, trial]) => usable.includes(trial)));
  const references = new Map<string, Status>();
  for (const trial of trials.filter(({ kind }) => kind === 'reference')) {
    const before = stored.get(trial.id);
    if (before !== undefined) references.set(trial.id, judgeTrial(planned, trial, await store.load(before)).status);
  }
  const all = trials.filter(({ id }) => !stored.has(id));
  const due = neverPassed(trials, references) ? all.filter(comesFirst) : all;
  return { name, planned, trials, store, stored, references, due, leftOut: all.length - due.length };
}

/** Whether a trial comes before the others: those of the solution, without which no other proves anything, and those that do nothing. */
function comesFirst({ id, kind }: TaskTrial): boolean {
  return kind === 'reference' || IDLE.includes(id);
}

function neverPassed(trials: readonly TaskTrial[], statuses: ReadonlyMap<string, Status>): boolean {
  const own = trials.filter(({ kind }) => kind === 'reference').map(({ id }) => statuses.get(id));
  return own.length > 0 && own.every((status) => status !== undefined && status !== 'passed');
}

/** Finds stored trials with the keys of these, by id; each is used once. */
function sameIn(recorded: readonly StoredTrial[], trials: readonly TaskTrial[]): Map<string, StoredTrial> {
  const free = [...recorded];
  const same = new Map<string, StoredTrial>();
  for (const { id, key } of trials) {
    const at = free.findIndex((trial) => trial.key === key);
    const [found] = at === -1 ? [] : free.splice(at, 1);
    if (found !== undefined) same.set(id, found);
  }
  return same;
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

/** Makes the trials of a task that are due, and judges them with those that were made before; null if they ended early. */
export async function proveTask(
  work: TaskWork,
  ground: Ground,
  options: ProveOptions & { left: TimeLeft },
): Promise<{ folders: string[]; proved: TaskProved | null }> {
  const { name, planned, trials, store, stored } = work;
  const { folders, made } = await makeDue(work, ground, options);
  if (made === null) return { folders, proved: null };
  const tried: JudgedTrial[] = [];
  const kept: StoredTrial[] = [];
  for (const trial of trials) {
    const { id, key } = trial;
    const [before, now] = [stored.get(id), made.get(id)];
    if (before !== undefined) {
      tried.push(judgeTrial(planned, trial, await store.load(before)));
      kept.push({ ...before, id });
    } else if (now !== undefined) {
      tried.push(judgeTrial(planned, trial, now.seen));
      const added = key === null ? null : await store.add({ id, key, ms: now.ms }, now.seen);
      if (added !== null) kept.push(added);
    }
  }
  const hash = await store.record(kept);
  const all = { planned, tried, waivers: waiversOf(ground.suite, name) };
  const proof = judgeTrials(all);
  const proved: TaskProved = {
    proof: { ...proof, trials: hash },
    otherwise: judgedOtherwise(tried, proof.perturbed.false_passes, differenceIn(all)),
    left: leftByReference(all),
    tooWide: tooWideIn(all),
    tidy: () => store.keepOnly(hash, kept),
  };
  return { folders, proved };
}

/** The bundles of the trials that were made, and these by id; `made` is null if they ended early. */
interface MadeDue {
  folders: string[];
  made: ReadonlyMap<string, Made> | null;
}

/** Makes the due trials that come first, and then the others, unless the solution never passed. */
async function makeDue(
  work: TaskWork,
  ground: Ground,
  { left, ...options }: ProveOptions & { left: TimeLeft },
): Promise<MadeDue> {
  const { name, planned, trials, due } = work;
  const listener = listenerOf(work, left, options.listener);
  const makeOptions: MakeOptions = { ...options, entrants: ground.entrants, listener };
  const first = due.filter(comesFirst);
  const others = due.filter((trial) => !comesFirst(trial));
  const folders: string[] = [];
  const made = new Map<string, Made>();
  const makeAll = async (some: readonly TaskTrial[]): Promise<boolean> => {
    if (some.length === 0) return true;
    const now = await makeTrials(name, some, makeOptions);
    folders.push(now.folder);
    for (const [id, one] of now.made ?? []) made.set(id, one);
    return now.made !== null;
  };
  if (!(await makeAll(first))) return { folders, made: null };
  const statuses = new Map(work.references);
  for (const trial of first) {
    const one = made.get(trial.id);
    if (one !== undefined) statuses.set(trial.id, judgeTrial(planned, trial, one.seen).status);
  }
  if (!neverPassed(trials, statuses)) return { folders, made: (await makeAll(others)) ? made : null };
  left.drop(others.length);
  const leftOut = work.leftOut + others.length;
  if (leftOut > 0) options.listener.leftOut(name, leftOut);
  return { folders, made };
}

function listenerOf({ trials }: TaskWork, left: TimeLeft, listener: QualifyListener): CampaignListener {
  const steps = new Map<string, FailedSteps>();
  return {
    earlier: () => left.drop(1),
    planned: (_total, _done, workers) => {
      left.workers = workers;
    },
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
