import { FailedSteps } from '../episode/failed-steps.ts';
import type { Status } from '../contract/status.ts';
import type { PlannedTask } from '../plan/plan.ts';
import { waiversOf } from '../plan/qualification.ts';
import type { TaskQualification } from '../plan/task-qualification.ts';
import type { CampaignListener } from '../run/campaign.ts';
import { taskName } from '../task/instance.ts';
import { judgeTrials, leftByReference, tooWideIn, type WideException } from './judge-trials.ts';
import { type JudgedOtherwise, judgedOtherwise } from './judged-otherwise.ts';
import { type Ground, type ListedTrial, listTrials } from './listed-trials.ts';
import type { QualifyListener, Due, TimeLeft } from './listener.ts';
import { lastedMs, type Made, type MakeOptions, makeTrials } from './make-trials.ts';
import type { Perturbation } from './perturbations.ts';
import type { Left } from './right-end.ts';
import { type StoredTrial, TrialStore } from './stored-trials.ts';
import {
  followsSolution,
  perturbationsFor,
  trialOf,
  type TrialSettings,
  judgeTrial,
  type QualifyingTrial,
  type Tried,
} from './trials.ts';

export interface ProveOptions extends TrialSettings, Omit<MakeOptions, 'entrants' | 'listener'> {
  /** The folder of stored trials. */
  store: string;
  listener: QualifyListener;
}

export interface TaskWork {
  name: string;
  planned: PlannedTask;
  perturbations: Perturbation[];
  listed: ListedTrial[];
  store: TrialStore;
  /** The listed trials that were made before on the same ground, by name. */
  stored: ReadonlyMap<string, StoredTrial>;
  /** Outcomes of the stored trials of its solution, as its contracts judge them now. */
  references: ReadonlyMap<string, Status>;
  /** Trials that were not made before; where the solution is known never to pass, only those that come first. */
  due: Due[];
  /** Number of trials that are left out for that. */
  leftOut: number;
}

/** Returns the work that a task still is, given its last proof, which may be stale; null where it never had one. */
export async function workOn(
  planned: PlannedTask,
  ground: Ground,
  last: TaskQualification | null,
  { store: root, again, listener, ...settings }: ProveOptions,
): Promise<TaskWork> {
  const name = taskName(planned.task);
  const { suite } = ground;
  const tasks = suite.tasks.map(({ task }) => task);
  const perturbations = perturbationsFor(planned.task, tasks, settings);
  const listed = listTrials(planned, perturbations, ground);
  const store = new TrialStore(root, suite.file, name);
  const recorded = last?.trials === undefined ? { trials: [], problem: null } : await store.recorded(last.trials);
  const wanted = again ? new Map<string, StoredTrial>() : sameIn(recorded.trials, listed);
  const whole = await store.whole([...wanted.values()]);
  const problem = recorded.problem ?? whole.problem;
  if (problem !== null) {
    // Whoever changed one blob may have changed others, and none of them would be written again while a file has its name.
    await store.clear();
    listener.notUsed(name, problem);
  }
  const usable = problem === null ? whole.trials : [];
  const stored = new Map([...wanted].filter(([, trial]) => usable.includes(trial)));
  const times = new Map(recorded.trials.map(({ id, ms }) => [id, ms]));
  const all = listed.flatMap(({ id }) => (stored.has(id) ? [] : [{ task: name, id, ms: times.get(id) ?? null }]));
  const references = new Map<string, Status>();
  for (const id of ground.trials.reference) {
    const before = stored.get(id);
    if (before !== undefined) references.set(id, judgeTrial(planned, await store.load(before)).status);
  }
  const due = neverPassed(listed, ground, references) ? all.filter(({ id }) => comesFirst(id, ground)) : all;
  const leftOut = all.length - due.length;
  return { name, planned, perturbations, listed, store, stored, references, due, leftOut };
}

/** Whether a trial is made before the others: those of the solution, as without one that passes no other says anything, and those in which nothing is done, which tell what changes by itself. */
function comesFirst(id: string, { trials }: Ground): boolean {
  return trials.reference.includes(id) || trials.idle.includes(id);
}

/** Whether all trials of a task's solution were made, and none has passed. */
function neverPassed(
  listed: readonly ListedTrial[],
  { trials }: Ground,
  statuses: ReadonlyMap<string, Status>,
): boolean {
  const own = listed.filter(({ id }) => trials.reference.includes(id)).map(({ id }) => statuses.get(id));
  return own.length > 0 && own.every((status) => status !== undefined && status !== 'passed');
}

/** The trials of a record that are those of a list, by their names there; each stands for one. */
function sameIn(recorded: readonly StoredTrial[], listed: readonly ListedTrial[]): Map<string, StoredTrial> {
  const free = [...recorded];
  const same = new Map<string, StoredTrial>();
  for (const { id, key } of listed) {
    const at = free.findIndex((trial) => trial.key === key);
    const [found] = at === -1 ? [] : free.splice(at, 1);
    if (found !== undefined) same.set(id, found);
  }
  return same;
}

/** The outcome for a task. */
export interface TaskProved {
  /** The bundles of the trials that were made now; none where none was due. */
  folders: string[];
  /** Null when the trials were ended early. */
  proof: TaskQualification | null;
  /** States that were judged otherwise than they should be. */
  otherwise: JudgedOtherwise[];
  /** By what the end of its solution can be told from others; null where nobody knows. */
  left: Left | null;
  /** The exceptions of its guards, where they leave nothing to be guarded. */
  tooWide: WideException | null;
  /** Removes from the store what the proof does not name; to be called when it is written. */
  tidy: () => Promise<void>;
}

/** Makes the trials of a task that are due, and judges them with those that were made before. */
export async function proveTask(
  work: TaskWork,
  ground: Ground,
  options: ProveOptions & { left: TimeLeft },
): Promise<TaskProved> {
  const { name, planned, perturbations, listed, store, stored } = work;
  const { suite, trials } = ground;
  const { folders, made } = await makeDue(work, ground, options);
  if (made === null)
    return { folders, proof: null, otherwise: [], left: null, tooWide: null, tidy: () => Promise.resolve() };
  const tried = new Map<string, Tried>();
  const kept: StoredTrial[] = [];
  const judge = (id: string, trial: QualifyingTrial) => tried.set(id, judgeTrial(planned, trial));
  for (const { id, key } of listed) {
    const [before, now] = [stored.get(id), made.get(id)];
    if (before !== undefined) {
      judge(id, await store.load(before));
      kept.push({ ...before, id });
    } else if (now !== undefined) {
      judge(id, now.trial);
      const added = key === null ? null : await store.add({ id, key, ms: now.ms }, now.trial);
      if (added !== null) kept.push(added);
    }
  }
  const hash = await store.record(kept);
  const all = { planned, trials, tried, perturbations, waivers: waiversOf(suite, name) };
  const proof = judgeTrials(all);
  return {
    folders,
    proof: { ...proof, trials: hash },
    otherwise: judgedOtherwise({ ...all, falsePasses: proof.perturbed.false_passes }),
    left: leftByReference(all),
    tooWide: tooWideIn(all),
    tidy: () => store.keepOnly(hash, kept),
  };
}

/** The bundles that the trials of a task left; `made` has them by name, and is null when they were ended early. */
interface MadeDue {
  folders: string[];
  made: ReadonlyMap<string, Made> | null;
}

/** Makes those that come first of the trials that are due, and then the others, unless the solution never passed. */
async function makeDue(
  work: TaskWork,
  ground: Ground,
  { left, ...options }: ProveOptions & { left: TimeLeft },
): Promise<MadeDue> {
  const { name, planned, listed, due } = work;
  const listener = listenerOf(work, { left, trials: ground.trials, listener: options.listener });
  const makeOptions: MakeOptions = { ...options, entrants: ground.entrants, listener };
  const dueNow = listed.filter(({ id }) => due.some((each) => each.id === id));
  const first = dueNow.filter(({ id }) => comesFirst(id, ground));
  const others = dueNow.filter(({ id }) => !comesFirst(id, ground));
  const folders: string[] = [];
  const made = new Map<string, Made>();
  const makeAll = async (some: readonly ListedTrial[]): Promise<boolean> => {
    if (some.length === 0) return true;
    const now = await makeTrials(name, some, makeOptions);
    folders.push(now.folder);
    for (const [id, one] of now.made ?? []) made.set(id, one);
    return now.made !== null;
  };
  if (!(await makeAll(first))) return { folders, made: null };
  const statuses = new Map(work.references);
  for (const { id } of first) {
    const one = made.get(id);
    if (one !== undefined) statuses.set(id, judgeTrial(planned, one.trial).status);
  }
  if (!neverPassed(listed, ground, statuses)) return { folders, made: (await makeAll(others)) ? made : null };
  left.leaveOut(name);
  const leftOut = work.leftOut + others.length;
  if (leftOut > 0) options.listener.leftOut(name, leftOut);
  return { folders, made };
}

function listenerOf(
  work: TaskWork,
  { left, trials, listener }: { left: TimeLeft; trials: Ground['trials']; listener: QualifyListener },
): CampaignListener {
  const { name } = work;
  const steps = new Map<string, FailedSteps>();
  return {
    earlier: (row) => left.skip(name, trialOf(row, trials)),
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
      left.finish(name, trialOf(row, trials), lastedMs(row));
      const failedStep = steps.get(row.episode_id)?.first ?? null;
      listener.finished(row, left, { does: deedOf(row.agent, work, trials), failedStep });
    },
  };
}

/** Tells in words what a trial does whose name only counts it. */
function deedOf(agent: string, { planned, perturbations }: TaskWork, trials: Ground['trials']): string | null {
  const miss = planned.task.nearMisses?.[trials.nearMisses.indexOf(agent)];
  return miss?.why ?? perturbations[trials.perturbed.indexOf(agent)]?.what ?? null;
}
