import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';
import { z } from 'zod';
import { addProblem } from '../contract/validation/wording.ts';
import { BrowserKind, Isolation } from '../bundle/row-words.ts';
import { AgentName, Name } from '../bundle/name.ts';
import { Sha256 } from '../bundle/sha256.ts';
import { hashJson } from '../contract/canonical.ts';
import { checkedBy } from '../contract/validation/validate.ts';
import { Fault } from '../fault/schema.ts';
import { SignIn } from '../task/auth.ts';
import { taskName } from '../task/instance.ts';
import { TracePolicy } from '../task/trace-policy.ts';
import { validateTask } from '../task/validate.ts';
import { SETTLE_LIMIT_MS } from '../episode/settle.ts';

const PlannedTask = z.strictObject({
  suite: Name,
  task: checkedBy(validateTask),
  task_hash: Sha256,
  contract_hash: Sha256,
  /** Perceptual hashes of the exemplars, by class. */
  screenshot_classes: z.record(z.string(), z.array(z.string())),
  /** The files that the task gives, by name. */
  files: z.record(z.string(), z.strictObject({ bytes: z.int().min(0), sha256: Sha256 })).optional(),
  /** Repetitions that its suite requires for a claim, beyond the policy. */
  least_repetitions: z.int().optional(),
  /** To be drawn by the seed of the plan. */
  fault: Fault.optional(),
  /** The sign-in of the role that the task begins as. */
  sign_in: SignIn.optional(),
});
export type PlannedTask = z.infer<typeof PlannedTask>;

/** Including two retries after infrastructure errors. */
export const MAX_ATTEMPTS = 3;

/** Limits the work that a stranger's plan can cause. */
const MAX_EPISODES = 1_000_000;

/** Everything that is run, and how it is judged; its hash is known before anything runs. */
export const Plan = z
  .strictObject({
    schema_version: z.literal(1),
    tasks: z.array(PlannedTask).max(10_000),
    entrants: z.array(z.strictObject({ agent: AgentName, surface: Name })).max(10_000),
    iterations: z.int().min(1).max(10_000),
    /** Shuffles the entrants within an iteration. */
    seed: z.int(),
    /** SHA-256 of the file with the secret that drew the instances of tasks with `draw`. */
    secret_hash: Sha256.optional(),
    /** Lowers the cap of the tasks; so do the next four. */
    max_steps: z.int().min(1).nullable(),
    max_turns: z.int().min(1).optional(),
    /** Input and output, of a whole episode. */
    max_tokens: z.int().min(1).optional(),
    max_episode_usd: z.number().positive().optional(),
    max_wall_ms: z.int().min(1).optional(),
    isolation: Isolation.exclude(['none']),
    browser_kind: BrowserKind,
    live: z.boolean(),
    settle_ms: z.int().min(0).max(SETTLE_LIMIT_MS),
    max_attempts: z.int().min(1).max(MAX_ATTEMPTS),
    /** Absent: none is kept. */
    trace: TracePolicy.exclude(['off']).optional(),
    film: z.literal(true).optional(),
    headed: z.literal(true).optional(),
    /** Waits before each step, for people who watch; not counted as the entrant's time. */
    slow_ms: z.int().min(1).optional(),
  })
  .superRefine((plan, context) => {
    const problem = sizeProblem(plan);
    addProblem(problem && { ...problem, params: { ...problem.params, subject: '' } }, context);
  });
export type Plan = z.infer<typeof Plan>;

/** One iteration of a cell. */
export interface PlannedEpisode {
  episodeId: string;
  planIndex: number;
  iteration: number;
  planned: PlannedTask;
  agent: string;
  surface: string;
}

export function planHash(plan: Plan): string {
  return hashJson(plan);
}

/** Null unless a plan is too small or too large. */
export function sizeProblem(plan: Sized): Fact<'plan_empty' | 'plan_too_large'> | null {
  const episodes = episodeCount(plan);
  if (episodes === 0) return fact('plan_empty');
  return episodes > MAX_EPISODES ? fact('plan_too_large', { episodes, most: MAX_EPISODES }) : null;
}

interface Sized {
  tasks: readonly unknown[];
  entrants: readonly unknown[];
  iterations: number;
}

export function episodeCount({ tasks, entrants, iterations }: Sized): number {
  return tasks.length * entrants.length * iterations;
}

/** Whether it is run for people to watch, and not to measure. */
/** Names a task as pins and messages do. */
export function plannedName({ suite, task }: Pick<PlannedTask, 'suite' | 'task'>): string {
  return `${suite}/${taskName(task)}`;
}

export function isWatched({ headed, slow_ms: slow }: Pick<Plan, 'headed' | 'slow_ms'>): boolean {
  return headed !== undefined || slow !== undefined;
}

export function faultFreeTasks({ tasks }: Pick<Plan, 'tasks'>): PlannedTask[] {
  return tasks.filter(({ fault }) => fault === undefined);
}

/** The episodes in the order in which they run: by iteration, then task, with the entrants shuffled by the seed. */
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

/** An order that follows from the seed alone (sorted by one Mulberry32 draw each). */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = mulberry32(seed);
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}

/** Mulberry32, a small pseudo-random generator by Tommy Ettinger; numbers in [0, 1). */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
