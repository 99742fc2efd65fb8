import { z } from 'zod';
import { hashJson } from '../contract/canonical.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { contractHash, taskHash } from '../task/hash.ts';
import { Task } from '../task/schema.ts';
import { CampaignError } from './error.ts';
import { shuffled } from './shuffle.ts';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const PlannedTask = z.strictObject({
  suite: z.string(),
  task: Task,
  task_hash: Sha256,
  contract_hash: Sha256,
  /** Perceptual hashes of the exemplars that the contract refers to, by class. */
  screenshot_classes: z.record(z.string(), z.array(z.string())),
});
export type PlannedTask = z.infer<typeof PlannedTask>;

/** What is to be run and how it is judged; its hash is known before anything runs. */
export const Plan = z.strictObject({
  schema_version: z.literal(1),
  tasks: z.array(PlannedTask),
  entrants: z.array(z.strictObject({ agent: z.string(), surface: z.string() })),
  iterations: z.int().min(1),
  /** Shuffles the entrants within an iteration. */
  seed: z.int(),
  /** A cap laid over that of the tasks; it can only lower theirs. */
  max_steps: z.int().min(1).nullable(),
  isolation: z.enum(['context', 'browser']),
  browser_kind: z.enum(['full', 'shell']),
  live: z.boolean(),
  settle_ms: z.int().min(0),
  max_attempts: z.int().min(1),
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

export function planHash(plan: Plan): string {
  return hashJson(plan);
}

/** The tasks of suites, with their hashes; `only` keeps the tasks of these ids. */
export function plannedTasks(
  suites: readonly LoadedSuite[],
  only: readonly string[] | null,
  hashesOf: (suite: LoadedSuite, task: Task) => Record<string, string[]>,
): PlannedTask[] {
  const all = suites.flatMap((suite) => suite.tasks.map(({ task }) => ({ suite, task })));
  const unknown = (only ?? []).filter((id) => !all.some(({ task }) => task.id === id));
  if (unknown.length > 0) {
    const ids = all.map(({ task }) => task.id).join(', ');
    throw new CampaignError('bad_plan', `there is no task "${unknown.join('", "')}"`, `choose from ${ids}`);
  }
  return all
    .filter(({ task }) => only === null || only.includes(task.id))
    .map(({ suite, task }) => ({
      suite: suite.id,
      task,
      task_hash: taskHash(task),
      contract_hash: contractHash(task),
      screenshot_classes: hashesOf(suite, task),
    }));
}

/** The episodes of a plan in the order in which they run: by iteration, then task, with the entrants shuffled by the seed. */
export function episodesOf(plan: Plan): PlannedEpisode[] {
  const hash = planHash(plan);
  const episodes: PlannedEpisode[] = [];
  for (let iteration = 0; iteration < plan.iterations; iteration += 1) {
    for (const [position, planned] of plan.tasks.entries()) {
      for (const { agent, surface } of shuffled(plan.entrants, plan.seed + iteration * plan.tasks.length + position)) {
        const cell = { suite: planned.suite, task: planned.task.id, agent, surface };
        const episodeId = hashJson({ plan: hash, cell, iteration }).slice(0, 32);
        episodes.push({ episodeId, planIndex: episodes.length, iteration, planned, agent, surface });
      }
    }
  }
  return episodes;
}
