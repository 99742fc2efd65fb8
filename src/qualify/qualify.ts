import { sharesServer } from '../task/suite-paths.ts';
import { CLOSED_BOOK } from '../agent/kinds/controls.ts';
import { Entrants } from '../plan/entrants.ts';
import type { PlannedTask } from '../plan/plan.ts';
import { plannedTasks } from '../plan/plan-campaign.ts';
import { type Qualification, readQualification, writeQualification } from '../plan/qualification.ts';
import type { TaskQualification } from '../plan/task-qualification.ts';
import { groundHash } from '../run/stale-proofs.ts';
import { workerCount } from '../run/worker-count.ts';
import { closeSuiteWorld, loadSuiteWorld } from '../run/suite-world.ts';
import { taskName } from '../task/instance.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { entryOf, type Head, isAlike, isCurrent, proofsToKeep } from './earlier-proofs.ts';
import type { JudgedOtherwise } from './judged-otherwise.ts';
import type { Ground } from './listed-trials.ts';
import { type ProveOptions, proveTask, type TaskWork, workOn } from './prove-task.ts';
import type { Left } from './right-end.ts';
import { TrialStore } from './stored-trials.ts';
import { TimeLeft } from './listener.ts';
import type { WideException } from './judge-trials.ts';
import { type FurtherTrials, trialsOf } from './trials.ts';

export interface QualifyOptions extends ProveOptions, FurtherTrials {
  /** Only these tasks; null for all. */
  only: readonly string[] | null;
}

/** A suite's proofs, and the bundles that show them. */
export interface Qualified {
  /** Names of the tasks that were asked for. */
  asked: string[];
  /** Names of those that were tried now; the others were proved already. */
  tried: string[];
  folders: string[];
  /** By task, of those that were tried now: states that were judged otherwise than they should be. */
  otherwise: Record<string, JudgedOtherwise[]>;
  /** By task, of those that were tried now and whose solution passed: by what its end can be told from others. */
  leftBehind: Record<string, Left>;
  /** By task, of the same: the exceptions of its guards, where they leave nothing to be guarded. */
  tooWide: Record<string, WideException>;
  /** The proof of the whole suite. Null: the trials were ended early, and the file has what was proved by then. */
  proof: Qualification | null;
}

/**
 * Tries all that must pass and all that must not on each task of a suite that has no current proof, judges what came of it,
 * and writes the proof beside the suite. A trial that was made before on the same ground is judged again from its evidence.
 * @throws CampaignError when it cannot start, BrowserError when there is no browser.
 */
export async function qualifySuite(options: QualifyOptions): Promise<Qualified> {
  const { suite, only, listener } = options;
  const head = await headNow(options);
  const planned = await plannedTasks([suite], only);
  const earlier = await readQualification(suite);
  const open = planned.filter((each) => !isProved(each, earlier, head, options));
  const [asked, tried] = [namesOf(planned), namesOf(open)];
  // Before anything is tried, as well as when it is written: somebody else may have made a proof meanwhile.
  await proofsToKeep(suite, head, tried);
  const ground = await groundOf(options, head, open.length > 0);
  const works: TaskWork[] = [];
  for (const each of open) works.push(await workOn(each, ground, entryOf(earlier, taskName(each.task)), options));
  const left = new TimeLeft(
    works.flatMap(({ due }) => due),
    await timesBefore(suite, earlier, options.store),
    atOnce(options, Math.max(...works.map(({ due }) => due.length))),
  );
  const stored = works.reduce((sum, work) => sum + work.stored.size, 0);
  listener.begun({ proved: asked.filter((name) => !tried.includes(name)), tried, stored, left });
  const done: Qualified = { asked, tried, folders: [], otherwise: {}, leftBehind: {}, tooWide: {}, proof: null };
  const proofs = new Map<string, TaskQualification>();
  const tidies: (() => Promise<void>)[] = [];
  for (const work of works) {
    const {
      folders,
      proof,
      otherwise,
      left: behind,
      tooWide,
      tidy,
    } = await proveTask(work, ground, { ...options, left });
    done.folders.push(...folders);
    if (otherwise.length > 0) done.otherwise[work.name] = otherwise;
    if (behind !== null) done.leftBehind[work.name] = behind;
    if (tooWide !== null) done.tooWide[work.name] = tooWide;
    if (proof === null) break;
    proofs.set(work.name, proof);
    // Where all are made otherwise than before, the earlier ones go when the last is there: none of them stays beside these.
    tidies.push(tidy);
    if (earlier !== null && !isAlike(earlier, head) && proofs.size < works.length) continue;
    await write(suite, head, proofs);
    for (const tidyUp of tidies.splice(0)) await tidyUp();
  }
  if (proofs.size < works.length) return done;
  return { ...done, proof: await readQualification(suite) };
}

async function write(suite: LoadedSuite, head: Head, proofs: ReadonlyMap<string, TaskQualification>): Promise<void> {
  const kept = await proofsToKeep(suite, head, [...proofs.keys()]);
  const all = [...Object.entries(kept), ...proofs];
  const tasks = Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  await writeQualification(suite, { ...head, tasks });
}

function namesOf(planned: readonly PlannedTask[]): string[] {
  return planned.map(({ task }) => taskName(task));
}

/** Whether nothing has to be tried. A task that does not qualify is tried again: what broke down may not do so twice. */
function isProved(
  { task }: PlannedTask,
  earlier: Qualification | null,
  head: Head,
  { again, closedBook, suite }: QualifyOptions,
): boolean {
  const found = entryOf(earlier, taskName(task));
  if (again || earlier === null || found === null) return false;
  if (!isAlike(earlier, head) || !isCurrent(earlier, task, suite)) return false;
  if (closedBook !== null && !Object.hasOwn(found.controls, CLOSED_BOOK)) return false;
  return found.verdict !== 'unqualified';
}

/** The head of a proof that is made now. */
async function headNow({ suite, surface, seed, repetitions, perturbations }: QualifyOptions): Promise<Head> {
  const world = await loadSuiteWorld(suite);
  closeSuiteWorld(world);
  const settings = { surface, seed, repetitions, perturbations };
  return { schema_version: 3, suite: suite.id, ...settings, app_hash: world.appHash };
}

async function groundOf(options: QualifyOptions, { app_hash: appHash }: Head, isNeeded: boolean): Promise<Ground> {
  const { suite, surface, seed } = options;
  const trials = trialsOf(
    suite.tasks.map(({ task }) => task),
    options,
  );
  const entrants = await Entrants.load({}, null, trials.agents);
  const hash = isNeeded ? await groundHash({ appHash, seed }) : '';
  return { suite, entrants, trials, surface, hash };
}

/** Guesses how many trials will run at once; the campaign of each task says how many do. */
function atOnce({ workers, suite }: QualifyOptions, trials: number): number {
  const hasProcesses = suite.world.kind === 'local' && suite.world.sites.some((site) => site.program);
  return workerCount(workers, {
    episodes: trials,
    hasProcesses,
    areOfModels: false,
    together: sharesServer(suite) ? 'never' : 'fine',
    browsers: null,
  });
}

/** Durations of a suite's stored trials, in ms. */
async function timesBefore(suite: LoadedSuite, earlier: Qualification | null, root: string): Promise<number[]> {
  const times: number[] = [];
  for (const { task } of suite.tasks) {
    const hash = entryOf(earlier, taskName(task))?.trials;
    if (hash === undefined) continue;
    const { trials } = await new TrialStore(root, suite.file, taskName(task)).recorded(hash);
    times.push(...trials.map(({ ms }) => ms));
  }
  return times;
}
