import { FailedSteps } from '../episode/failed-steps.ts';
import type { PlannedTask } from '../plan/plan.ts';
import { waiversOf } from '../plan/qualification.ts';
import type { TaskQualification } from '../plan/task-qualification.ts';
import type { CampaignListener } from '../run/listener.ts';
import { taskName } from '../task/instance.ts';
import { judgeTrials, leftByReference, tooWideIn } from './judge-trials.ts';
import { type JudgedOtherwise, judgedOtherwise } from './judged-otherwise.ts';
import { type Ground, type ListedTrial, listTrials } from './listed-trials.ts';
import type { QualifyListener } from './listener.ts';
import { lastedMs, type Made, type MakeOptions, makeTrials } from './make-trials.ts';
import type { Perturbation } from './perturbations.ts';
import type { Left } from './right-end.ts';
import { type StoredTrial, TrialStore } from './stored-trials.ts';
import type { Due, TimeLeft } from './time-left.ts';
import { followsSolution, perturbationsFor, trialOf, type TrialSettings } from './trials.ts';
import type { WideException } from './wide-exception.ts';
import { judgeTrial, type QualifyingTrial, type Tried } from './tried.ts';

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
  /** The others. */
  due: Due[];
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
  const due = listed.flatMap(({ id }) => (stored.has(id) ? [] : [{ task: name, id, ms: times.get(id) ?? null }]));
  return { name, planned, perturbations, listed, store, stored, due };
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
  /** The bundle of the trials that were made now; null where none was due. */
  folder: string | null;
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
  { left, ...options }: ProveOptions & { left: TimeLeft },
): Promise<TaskProved> {
  const { name, planned, perturbations, listed, store, stored, due } = work;
  const { suite, entrants, trials } = ground;
  const dueNow = listed.filter(({ id }) => due.some((each) => each.id === id));
  const listener = listenerOf(work, { left, trials, listener: options.listener });
  const makeOptions: MakeOptions = { ...options, entrants, listener };
  const { folder, made } =
    dueNow.length === 0 ? { folder: null, made: new Map<string, Made>() } : await makeTrials(name, dueNow, makeOptions);
  if (made === null)
    return { folder, proof: null, otherwise: [], left: null, tooWide: null, tidy: () => Promise.resolve() };
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
    folder,
    proof: { ...proof, trials: hash },
    otherwise: judgedOtherwise({ ...all, falsePasses: proof.perturbed.false_passes }),
    left: leftByReference(all),
    tooWide: tooWideIn(all),
    tidy: () => store.keepOnly(hash, kept),
  };
}

function listenerOf(
  { name }: TaskWork,
  { left, trials, listener }: { left: TimeLeft; trials: Ground['trials']; listener: QualifyListener },
): CampaignListener {
  const steps = new Map<string, FailedSteps>();
  return {
    planned: (_total, done, workers) => {
      left.workers = workers;
      left.skip(name, done);
    },
    event: ({ agent, episodeId }, event) => {
      if (!followsSolution(agent)) return;
      const ofEpisode = steps.get(episodeId) ?? new FailedSteps();
      steps.set(episodeId, ofEpisode);
      ofEpisode.take(event);
    },
    finished: (row) => {
      left.finish(name, trialOf(row, trials), lastedMs(row));
      listener.finished(row, left, steps.get(row.episode_id)?.first ?? null);
    },
  };
}
