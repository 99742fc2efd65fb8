import { z } from 'zod';
import { BrowserKind, Isolation } from '../bundle/row-words.ts';
import { AgentName, Name } from '../bundle/name.ts';
import { Sha256 } from '../bundle/sha256.ts';
import { hashJson } from '../contract/canonical.ts';
import { didYouMean } from '../contract/nearest-name.ts';
import { checkedBy } from '../contract/validation/validate.ts';
import { Fault } from '../fault/schema.ts';
import { SignIn } from '../task/auth.ts';
import type { Limits } from '../task/caps.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { taskName } from '../task/instance.ts';
import { contractHash, type Task, taskHash } from '../task/schema.ts';
import { TracePolicy } from '../task/trace-policy.ts';
import { validateTask } from '../task/validate.ts';
import { SETTLE_LIMIT_MS, SETTLE_MS } from '../episode/settle.ts';
import { ARIA, OWN } from '../surface/surface-ids.ts';
import type { AgentChoice } from '../agent/agent-choice.ts';
import type { Entrants } from './entrants.ts';
import { CampaignError } from './error.ts';
import { exemplarHashes } from './exemplars.ts';
import { shuffled } from './shuffle.ts';

const PlannedTask = z.strictObject({
  suite: Name,
  task: checkedBy(validateTask),
  task_hash: Sha256,
  contract_hash: Sha256,
  /** Perceptual hashes of the exemplars that the contract refers to, by class. */
  screenshot_classes: z.record(z.string(), z.array(z.string())),
  /** Repetitions that its suite asks of a claim, beside the policy. Absent: none. */
  least_repetitions: z.int().optional(),
  /** The fault in it, to be drawn by the seed of the plan. Absent: nothing, as in plans from before there were faults. */
  fault: Fault.optional(),
  /** Signs in the role that the task begins as. Absent: it begins as nobody. */
  sign_in: SignIn.optional(),
});
export type PlannedTask = z.infer<typeof PlannedTask>;

/** An episode may be attempted three times: twice again after an infrastructure error. */
const MAX_ATTEMPTS = 3;

/** Most episodes of a plan: one from a stranger must not keep us counting. */
const MAX_EPISODES = 1_000_000;

/** All that is to be run, and how it is judged; its hash is known before anything runs. */
export const Plan = z
  .strictObject({
    schema_version: z.literal(1),
    tasks: z.array(PlannedTask).max(10_000),
    entrants: z.array(z.strictObject({ agent: AgentName, surface: Name })).max(10_000),
    iterations: z.int().min(1).max(10_000),
    /** Shuffles the entrants within an iteration. */
    seed: z.int(),
    /** A cap laid over that of the tasks; it can only lower theirs. */
    max_steps: z.int().min(1).nullable(),
    /** The same for turns. Absent: none is laid over theirs. */
    max_turns: z.int().min(1).optional(),
    /** The same for tokens, in and out, of a whole episode. */
    max_tokens: z.int().min(1).optional(),
    /** The same for USD. */
    max_episode_usd: z.number().positive().optional(),
    /** The same for the wall time, in ms. */
    max_wall_ms: z.int().min(1).optional(),
    isolation: Isolation.exclude(['none']),
    browser_kind: BrowserKind,
    live: z.boolean(),
    /** No episode settles for longer. */
    settle_ms: z.int().min(0).max(SETTLE_LIMIT_MS),
    max_attempts: z.int().min(1).max(MAX_ATTEMPTS),
    /** Absent where none is kept, as in plans from before there were any. */
    trace: TracePolicy.exclude(['off']).optional(),
    /** Whether a picture is kept of each step. Absent: none is. */
    film: z.literal(true).optional(),
  })
  .superRefine((plan, context) => {
    const message = sizeProblem(plan);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });
export type Plan = z.infer<typeof Plan>;

/** One cell's one iteration. */
export interface PlannedEpisode {
  episodeId: string;
  planIndex: number;
  iteration: number;
  planned: PlannedTask;
  agent: string;
  surface: string;
}

/** Caps that a plan lays over those of its tasks. */
export function limitsOf(plan: Plan): Limits {
  return {
    steps: plan.max_steps,
    turns: plan.max_turns,
    tokens: plan.max_tokens,
    cost_usd: plan.max_episode_usd,
    wall_ms: plan.max_wall_ms,
  };
}

export function planHash(plan: Plan): string {
  return hashJson(plan);
}

/** A campaign as a user asks for it. */
export interface PlanRequest {
  suites: readonly LoadedSuite[];
  /** Every agent runs through every surface; ids, or files. */
  agents: readonly string[];
  /** Null: each agent through the surface that it usually has. */
  surfaces: readonly string[] | null;
  /** Only the tasks of these ids; null for all. */
  only: readonly string[] | null;
  iterations: number;
  seed: number;
  /** Laid over the caps of the tasks; none without it. */
  limits?: Limits;
  isolation: Plan['isolation'];
  browserKind: Plan['browser_kind'];
  live: boolean;
  /** Off without it. */
  trace?: TracePolicy;
  /** False without it. */
  film?: boolean;
  /** Laid over all tasks, beside the faults that they have themselves; null: without any of these either. */
  faults?: readonly Fault[] | null;
  /** Ids of the faults to keep; null for all. */
  onlyFaults?: readonly string[] | null;
}

/** @throws CampaignError when an agent, surface or task is not known, or an exemplar is no picture. */
export async function planCampaign(request: PlanRequest, entrants: Entrants): Promise<Plan> {
  const agents = [...new Set(request.agents)].map((name) => entrants.agent(name));
  const asked = request.surfaces === null ? null : [...new Set(request.surfaces)];
  const surfacesFor = ({ drivesItself }: AgentChoice): readonly string[] => asked ?? [drivesItself ? OWN : ARIA];
  const {
    steps = null,
    turns = null,
    tokens = null,
    cost_usd: usd = null,
    wall_ms: wallMs = null,
  } = request.limits ?? {};
  const plan: Plan = {
    schema_version: 1,
    tasks: await tasksOf(request),
    entrants: agents.flatMap((agent) =>
      surfacesFor(agent).map((name) => ({ agent: agent.id, surface: entrants.surface(name).id })),
    ),
    iterations: request.iterations,
    seed: request.seed,
    max_steps: steps,
    ...(turns === null ? {} : { max_turns: turns }),
    ...(tokens === null ? {} : { max_tokens: tokens }),
    ...(usd === null ? {} : { max_episode_usd: usd }),
    ...(wallMs === null ? {} : { max_wall_ms: wallMs }),
    isolation: request.isolation,
    browser_kind: request.browserKind,
    live: request.live,
    settle_ms: SETTLE_MS,
    max_attempts: MAX_ATTEMPTS,
    ...(request.trace === undefined || request.trace === 'off' ? {} : { trace: request.trace }),
    ...(request.film === true ? { film: true as const } : {}),
  };
  const problem = sizeProblem(plan);
  if (problem === null) return plan;
  throw new CampaignError(
    'bad_plan',
    `the plan ${problem}`,
    'name suites, agents and surfaces; split what is too much',
  );
}

function sizeProblem(plan: Sized): string | null {
  const count = episodeCount(plan);
  if (count === 0) return 'has nothing to run';
  return count > MAX_EPISODES ? `has ${count} episodes, more than ${MAX_EPISODES}` : null;
}

/**
 * The tasks of suites as a plan has them, without faults.
 * @param only of these ids; null for all
 * @throws CampaignError when a suite is there twice, a task is not known, or an exemplar is no picture.
 */
export async function plannedTasks(
  suites: readonly LoadedSuite[],
  only: readonly string[] | null,
): Promise<PlannedTask[]> {
  const ids = suites.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) {
    const remedy = 'name each suite once, or give one of them another id in its suite file';
    throw new CampaignError('bad_plan', `there are two suites "${twice}"`, remedy);
  }
  const all = suites.flatMap((suite) => suite.tasks.map(({ task }) => ({ suite, task })));
  const unknown = (only ?? []).filter((name) => !all.some(({ task }) => isNamed(task, name)));
  if (unknown.length > 0) {
    const known = all.map(({ task }) => taskName(task));
    const meant = unknown.length === 1 ? didYouMean(unknown.join(''), known) : '';
    const message = `there is no task "${unknown.join('", "')}"${meant}`;
    throw new CampaignError('bad_plan', message, `choose from ${known.join(', ')}`);
  }
  const chosen = all.filter(({ task }) => only === null || only.some((name) => isNamed(task, name)));
  return await Promise.all(
    chosen.map(async ({ suite, task }) => ({
      suite: suite.id,
      task,
      task_hash: taskHash(task),
      contract_hash: contractHash(task),
      screenshot_classes: await exemplarHashes(suite, task),
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

/** The clean ones stay: without them nothing could be said of the others. */
function onlyWith(ids: readonly string[], tasks: readonly PlannedTask[]): PlannedTask[] {
  const known = [...new Set(tasks.flatMap(({ fault }) => fault?.id ?? []))];
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length === 0) return tasks.filter(({ fault }) => fault === undefined || ids.includes(fault.id));
  const remedy = known.length === 0 ? 'lay some over the tasks with --fault' : `choose from ${known.join(', ')}`;
  throw new CampaignError('bad_plan', `there is no fault "${unknown.join('", "')}"`, remedy);
}

/** Each task as it is, and once with each fault: what somebody recovers from is seen against what they do without. */
function withFaults(tasks: readonly PlannedTask[], laid: readonly Fault[]): PlannedTask[] {
  return tasks.flatMap((planned) => {
    const faults = [...(planned.task.faults ?? []), ...laid];
    const ids = faults.map(({ id }) => id);
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined) {
      const remedy = 'give one of them another id, or leave out the profile that has it';
      throw new CampaignError('bad_plan', `two faults of ${taskName(planned.task)} are called "${twice}"`, remedy);
    }
    return [planned, ...faults.map((fault) => ({ ...planned, fault }))];
  });
}

/** An id stands for all instances of its task. */
function isNamed(task: Task, name: string): boolean {
  return name === task.id || name === taskName(task);
}

interface Sized {
  tasks: readonly unknown[];
  entrants: readonly unknown[];
  iterations: number;
}

export function episodeCount({ tasks, entrants, iterations }: Sized): number {
  return tasks.length * entrants.length * iterations;
}

/** The tasks of a plan in which nothing is planned to go wrong. */
export function faultFreeTasks({ tasks }: Pick<Plan, 'tasks'>): PlannedTask[] {
  return tasks.filter(({ fault }) => fault === undefined);
}

/** The episodes of a plan in the order in which they run: by iteration, then task, with the entrants shuffled by the seed. */
export function episodesOf(plan: Plan): PlannedEpisode[] {
  const hash = planHash(plan);
  const episodes: PlannedEpisode[] = [];
  for (let iteration = 0; iteration < plan.iterations; iteration += 1) {
    for (const [position, planned] of plan.tasks.entries()) {
      for (const { agent, surface } of shuffled(plan.entrants, plan.seed + iteration * plan.tasks.length + position)) {
        const { suite, task, fault } = planned;
        const faulty = fault === undefined ? {} : { fault: fault.id };
        const cell = { suite, task: taskName(task), agent, surface, ...faulty };
        const episodeId = hashJson({ plan: hash, cell, iteration }).slice(0, 32);
        episodes.push({ episodeId, planIndex: episodes.length, iteration, planned, agent, surface });
      }
    }
  }
  return episodes;
}
