import { canonicalJson } from '../contract/canonical.ts';
import { nearestName } from '../contract/nearest-name.ts';
import type { Fault } from '../fault/schema.ts';
import type { Limits } from '../task/caps.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { taskName } from '../task/instance.ts';
import { contractHash, type Task, taskHash } from '../task/schema.ts';
import type { TracePolicy } from '../task/trace-policy.ts';
import { SETTLE_MS } from '../episode/settle.ts';
import { ARIA, OWN } from '../surface/surface-ids.ts';
import type { AgentChoice } from '../agent/agent-choice.ts';
import type { Entrants } from './entrants.ts';
import { fact, messageFor } from '../messages/messages.ts';
import { CampaignError } from './error.ts';
import { MAX_ATTEMPTS, type Plan, type PlannedTask, sizeProblem } from './plan.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type GivenFile, hashesOf } from '../task/given-files.ts';
import { readGiven } from '../task/suite-paths.ts';
import { classReferences } from '../task/screenshot-classes.ts';
import { messageOf } from '../contract/message-of.ts';

export interface PlanRequest {
  suites: readonly LoadedSuite[];
  /** Ids or files; each runs through every surface. */
  agents: readonly string[];
  /** Null: each agent through its usual surface. */
  surfaces: readonly string[] | null;
  /** Chooses among these pairs. */
  isWanted?: (entrant: Plan['entrants'][number]) => boolean;
  /** Ids of tasks; null for all. */
  only: readonly string[] | null;
  iterations: number;
  seed: number;
  secretHash?: string | undefined;
  /** Lower the caps of the tasks. */
  caps?: Limits;
  isolation: Plan['isolation'];
  browserKind: Plan['browser_kind'];
  live: boolean;
  trace?: TracePolicy;
  film?: boolean;
  headed?: boolean;
  slowMs?: number | undefined;
  /** Added to all tasks; null leaves out their own faults, too. */
  faults?: readonly Fault[] | null;
  /** Null for all. */
  onlyFaults?: readonly string[] | null;
}

/** @throws CampaignError for an unknown agent, surface or task, or an exemplar that is not a picture. */
export async function planCampaign(request: PlanRequest, entrants: Entrants): Promise<Plan> {
  const agents = [...new Set(request.agents)].map((name) => entrants.agent(name));
  const asked = request.surfaces === null ? null : [...new Set(request.surfaces)];
  const surfacesFor = ({ drivesItself }: AgentChoice): readonly string[] => asked ?? [drivesItself ? OWN : ARIA];
  const pairs = agents.flatMap((agent) =>
    surfacesFor(agent).map((name) => ({ agent: agent.id, surface: entrants.surface(name).id })),
  );
  const { steps, turns, tokens, cost_usd: usd, wall_ms: wallMs } = request.caps ?? {};
  const plan: Plan = {
    schema_version: 1,
    tasks: await tasksOf(request),
    entrants: pairs.filter(request.isWanted ?? (() => true)),
    iterations: request.iterations,
    seed: request.seed,
    ...(request.secretHash === undefined ? {} : { secret_hash: request.secretHash }),
    max_steps: steps ?? null,
    ...(typeof turns === 'number' ? { max_turns: turns } : {}),
    ...(typeof tokens === 'number' ? { max_tokens: tokens } : {}),
    ...(typeof usd === 'number' ? { max_episode_usd: usd } : {}),
    ...(typeof wallMs === 'number' ? { max_wall_ms: wallMs } : {}),
    isolation: request.isolation,
    browser_kind: request.browserKind,
    live: request.live,
    settle_ms: SETTLE_MS,
    max_attempts: MAX_ATTEMPTS,
    ...(request.trace === undefined || request.trace === 'off' ? {} : { trace: request.trace }),
    ...(request.film === true ? { film: true as const } : {}),
    ...(request.headed === true ? { headed: true as const } : {}),
    ...(request.slowMs === undefined ? {} : { slow_ms: request.slowMs }),
  };
  const problem = sizeProblem(plan);
  if (problem !== null) throw new CampaignError(problem);
  return plan;
}

/**
 * The tasks of suites without faults.
 * @param only ids; null for all
 * @throws CampaignError for a repeated suite, an unknown task, or an exemplar that is not a picture.
 */
export async function plannedTasks(
  suites: readonly LoadedSuite[],
  only: readonly string[] | null,
): Promise<PlannedTask[]> {
  const ids = suites.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new CampaignError(fact('suite_twice', { id: twice }));
  const all = suites.flatMap((suite) => suite.tasks.map(({ task }) => ({ suite, task })));
  const unknown = (only ?? []).filter((name) => !all.some(({ task }) => isNamed(task, name)));
  if (unknown.length > 0) {
    const known = all.map(({ task }) => taskName(task));
    const meant = unknown.length === 1 ? (nearestName(unknown.join(''), known) ?? '') : '';
    throw new CampaignError(fact('unknown_task', { names: unknown.join('", "'), meant, known }));
  }
  const chosen = all.filter(({ task }) => only === null || only.some((name) => isNamed(task, name)));
  return await Promise.all(
    chosen.map(async ({ suite, task }) => ({
      suite: suite.id,
      task,
      task_hash: taskHash(task),
      contract_hash: contractHash(task),
      screenshot_classes: await exemplarHashes(suite, task),
      ...(task.files === undefined ? {} : { files: hashesOf(await givenFiles(suite, task)) }),
      ...(suite.leastRepetitions === 0 ? {} : { least_repetitions: suite.leastRepetitions }),
      ...signInOf(suite, task),
    })),
  );
}

function signInOf({ roles }: LoadedSuite, { auth }: Task): Pick<PlannedTask, 'sign_in'> {
  const own = auth?.by === 'stored_state' ? roles[auth.role] : undefined;
  return own === undefined ? {} : { sign_in: own };
}

async function tasksOf({ suites, only, faults = [], onlyFaults = null }: PlanRequest): Promise<PlannedTask[]> {
  const tasks = await plannedTasks(suites, only);
  if (faults === null) return tasks;
  const all = withFaults(tasks, faults);
  return onlyFaults === null ? all : onlyWith(onlyFaults, all);
}

/** Fault-free tasks stay, for comparison. */
function onlyWith(ids: readonly string[], tasks: readonly PlannedTask[]): PlannedTask[] {
  const known = [...new Set(tasks.flatMap(({ fault }) => fault?.id ?? []))];
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length === 0) return tasks.filter(({ fault }) => fault === undefined || ids.includes(fault.id));
  throw new CampaignError(fact('unknown_fault', { names: unknown.join('", "'), known: known.join(', ') }));
}

/** Each task as it is, and once with each fault, since recovery is measured against the fault-free run. */
function withFaults(tasks: readonly PlannedTask[], laid: readonly Fault[]): PlannedTask[] {
  return tasks.flatMap((planned) => {
    const faults = [...(planned.task.faults ?? []), ...laid];
    const ids = faults.map(({ id }) => id);
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined) throw new CampaignError(fact('fault_twice', { task: taskName(planned.task), id: twice }));
    return [planned, ...faults.map((fault) => ({ ...planned, fault }))];
  });
}

function isNamed(task: Task, name: string): boolean {
  return name === task.id || name === taskName(task);
}

/** Perceptual hashes of the exemplars of a task, by class. @throws CampaignError naming an exemplar that is not a picture. */
export async function exemplarHashes({ exemplars }: LoadedSuite, task: Task): Promise<Record<string, string[]>> {
  const hashes: Record<string, string[]> = {};
  for (const { classId } of classReferences(task)) {
    hashes[classId] = await Promise.all((exemplars[classId] ?? []).map(hashOf));
  }
  return hashes;
}

/**
 * Reads the files that a task gives.
 * @param planned their hashes; absent while the plan is made
 * @throws CampaignError naming one that cannot be given, or the task if they have changed
 */
export async function givenFiles(
  { file }: Pick<LoadedSuite, 'file'>,
  task: Task,
  planned?: PlannedTask['files'],
): Promise<GivenFile[]> {
  const read = await readGiven(task, path.dirname(file));
  if (!read.ok) {
    const [first] = read.problems;
    const why = first === undefined ? '' : messageFor(first.what);
    throw new CampaignError(fact('bad_given_file', { file: task.files?.[Number(first?.path[1])] ?? '', why }));
  }
  const isAsPlanned = planned === undefined || canonicalJson(hashesOf(read.value)) === canonicalJson(planned);
  if (!isAsPlanned) throw new CampaignError(fact('given_file_changed', { task: taskName(task) }));
  return read.value;
}

async function hashOf(file: string): Promise<string> {
  try {
    const { perceptualHash } = await import('../contract/picture/perceptual-hash.ts');
    return perceptualHash(await readFile(file));
  } catch (error) {
    throw new CampaignError(fact('bad_exemplar', { file, why: messageOf(error) }), error);
  }
}
