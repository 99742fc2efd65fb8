import { sharesServer } from '../task/suite-paths.ts';
import type { AgentChoice } from '../agent/agent-choice.ts';
import { CLOSED_BOOK } from '../agent/kinds/controls.ts';
import { Entrants } from '../plan/entrants.ts';
import type { PlannedTask } from '../plan/plan.ts';
import { plannedTasks } from '../plan/plan-campaign.ts';
import {
  entryOf,
  isCurrent,
  type Qualification,
  readQualification,
  writeQualification,
} from '../plan/qualification.ts';
import type { TaskQualification } from '../plan/task-qualification.ts';
import { groundHash } from '../run/stale-proofs.ts';
import { workerCount } from '../run/worker-count.ts';
import { loadSuiteWorld } from '../run/suite-world.ts';
import { taskName } from '../task/instance.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { type Head, hasSameSettings, proofsToKeep } from './earlier-proofs.ts';
import { type ProveOptions, proveTask, tryFirst, type TaskFindings, type TaskWork, workOn } from './prove-task.ts';
import { TrialStore } from './stored-trials.ts';
import { TimeLeft } from './listener.ts';
import { agentsOf, type Ground } from './trials.ts';

export interface QualifyOptions extends ProveOptions {
  surface: string;
  /** A model without tools, if one is asked. */
  closedBook: AgentChoice | null;
  /** Only these tasks; null for all. */
  only: readonly string[] | null;
}

/** A suite's proofs, and the bundles of the trials. */
export interface Qualified {
  asked: string[];
  /** Tasks that were tried now; the others were proved already. */
  tried: string[];
  folders: string[];
  /** By task, for those that were tried now. */
  findings: Record<string, TaskFindings>;
  /** The proof of the whole suite. Null if the trials ended early; the file has what was proved by then. */
  proof: Qualification | null;
}

/**
 * Tries each task without a current proof: what must pass, and what must not. Writes the proof next to the suite. A trial
 * that was made before on the same ground is judged again from its evidence.
 * @throws CampaignError when it cannot start; BrowserError without a browser
 */
export async function qualifySuite(options: QualifyOptions): Promise<Qualified> {
  const { suite, only, listener } = options;
  const head = await headNow(options);
  const planned = await plannedTasks([suite], only);
  const earlier = await readQualification(suite);
  const open = planned.filter((each) => !isProved(each, earlier, head, options));
  const [asked, tried] = [namesOf(planned), namesOf(open)];
  // Checked again when the proof is written, since another process may write one meanwhile.
  await proofsToKeep(suite, head, tried);
  const ground = await groundOf(options, head, open.length > 0);
  const works: TaskWork[] = [];
  for (const each of open) works.push(await workOn(each, ground, entryOf(earlier, taskName(each.task)), options));
  const left = new TimeLeft(
    works.reduce((sum, { due }) => sum + due.length, 0),
    await timesBefore(suite, earlier, options.store),
    atOnce(options, Math.max(...works.map(({ due }) => due.length))),
  );
  const stored = works.reduce((sum, work) => sum + work.stored.size, 0);
  listener.begun({ proved: asked.filter((name) => !tried.includes(name)), tried, stored, left });
  const done: Qualified = { asked, tried, folders: [], findings: {}, proof: null };
  const proofs = new Map<string, TaskQualification>();
  const tidies: (() => Promise<void>)[] = [];
  // All solutions come first, so that a task that cannot qualify is known early, even if it is the last.
  const firsts = new Map<TaskWork, string | null>();
  for (const work of works) {
    const first = await tryFirst(work, ground, { ...options, left });
    if (first !== null) done.folders.push(first.folder);
    if (first?.complete === false) return done;
    firsts.set(work, first?.folder ?? null);
  }
  for (const work of works) {
    const { folder, proved } = await proveTask(work, firsts.get(work) ?? null, ground, { ...options, left });
    if (folder !== null) done.folders.push(folder);
    if (proved === null) break;
    const { proof, tidy, ...findings } = proved;
    done.findings[work.name] = findings;
    proofs.set(work.name, proof);
    // Proofs that were made in another way are replaced only once all new ones are there.
    tidies.push(tidy);
    if (earlier !== null && !hasSameSettings(earlier, head) && proofs.size < works.length) continue;
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

/**
 * Whether nothing has to be tried. A task that does not qualify is tried again, since a failure may not repeat, and so is one
 * whose proof does not count what was tried.
 */
function isProved(
  { task }: PlannedTask,
  earlier: Qualification | null,
  head: Head,
  { again, closedBook, suite }: QualifyOptions,
): boolean {
  const found = entryOf(earlier, taskName(task));
  if (again || earlier === null || found === null) return false;
  if (!hasSameSettings(earlier, head) || !isCurrent(earlier, task, suite)) return false;
  if (closedBook !== null && !Object.hasOwn(found.controls, CLOSED_BOOK)) return false;
  return found.verdict !== 'unqualified' && found.breadth !== undefined;
}

async function headNow({ suite, surface, seed, repetitions, perturbations }: QualifyOptions): Promise<Head> {
  const world = await loadSuiteWorld(suite);
  const settings = { surface, seed, repetitions, perturbations };
  return { schema_version: 3, suite: suite.id, ...settings, app_hash: world.appHash };
}

async function groundOf(options: QualifyOptions, { app_hash: appHash }: Head, isNeeded: boolean): Promise<Ground> {
  const { suite, surface, seed } = options;
  const tasks = suite.tasks.map(({ task }) => task);
  const { agents, controls } = agentsOf(tasks, options);
  const entrants = await Entrants.load({}, null, agents);
  const hash = isNeeded ? await groundHash({ appHash, seed }) : '';
  return { suite, entrants, surface, controls, settings: options, hash };
}

/** Estimates how many trials will run at once; the campaign of each task reports how many do. */
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

/** Returns durations in ms. */
async function timesBefore(suite: LoadedSuite, earlier: Qualification | null, root: string): Promise<number[]> {
  const times: number[] = [];
  for (const { task } of suite.tasks) {
    const hash = entryOf(earlier, taskName(task))?.trials;
    if (hash === undefined) continue;
    // Without a record there is only no estimate.
    const trials = await new TrialStore(root, suite.file, taskName(task)).recorded(hash).catch(() => []);
    times.push(...trials.map(({ ms }) => ms));
  }
  return times;
}
