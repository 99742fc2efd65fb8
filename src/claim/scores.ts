import type { Row } from '../bundle/row.ts';
import { rowsApart } from './by-manifest.ts';
import { type Entrant, isOf } from './figures.ts';
import { sum } from './spending.ts';
import { median } from '../stats/resampling.ts';

/** A task counts as passed if every repetition of it passed. */
export interface Score {
  passed: number;
  /** All planned tasks, including those that could not run. */
  tasks: number;
}

export interface TaskResult {
  suite: string;
  task: string;
  instance: string;
  /** Whether its contracts keep to the kinds of seed 001. */
  is_seed: boolean;
  /** `passed`, or the status of the first repetition that did not pass. */
  result: Row['status'];
  repetitions: number;
  repetitions_passed: number;
  median_wall_ms: number | null;
  median_tool_calls: number | null;
  median_response_bytes: number | null;
  cost_usd: number | null;
  /** From the first repetition that did not pass. */
  failed_contract: Row['failed_contract'];
}

export interface EntrantScores extends Entrant {
  surface_version: string | null;
  model_id: string | null;
  modes: Row['mode'][];
  world_kinds: Row['world_kind'][];
  /** Over the tasks of seed 001; null without any. */
  seed: Score | null;
  /** Over all other tasks; null without any. */
  beyond_seed: Score | null;
  median_wall_ms: number | null;
  median_tool_calls: number | null;
  /** Null if the cost of an episode is unknown. */
  cost_usd: number | null;
  tasks: TaskResult[];
}

export interface ScoredTask {
  suite: string;
  task: string;
  instance: string;
  isSeed: boolean;
}

/** Scores per entrant over all tasks of the plan; a task without a result did not pass. */
export function entrantScores(
  rows: readonly Row[],
  tasks: readonly ScoredTask[],
  entrants: readonly Entrant[],
): EntrantScores[] {
  const apart = rowsApart(rows, entrants, (row, surface) => ({ ...row, surface }));
  return apart.entrants.map(({ agent, surface }) => {
    const own = apart.rows.filter((row) => isOf({ agent, surface }, row));
    const results = tasks.flatMap((task) => resultOf(task, own) ?? []);
    return {
      agent,
      surface,
      surface_version: own.find((row) => row.surface_version !== null)?.surface_version ?? null,
      model_id: own.find((row) => row.model_id !== null)?.model_id ?? null,
      modes: [...new Set(own.map(({ mode }) => mode))],
      world_kinds: [...new Set(own.map((row) => row.world_kind))],
      seed: scoreOf(results.filter((each) => each.is_seed)),
      beyond_seed: scoreOf(results.filter((each) => !each.is_seed)),
      median_wall_ms: median(own.map((row) => row.wall_ms)),
      median_tool_calls: median(own.map(({ steps }) => steps)),
      cost_usd: costOf(own),
      tasks: results,
    };
  });
}

function resultOf({ suite, task, instance, isSeed }: ScoredTask, own: readonly Row[]): TaskResult | null {
  const rows = own.filter((row) => row.suite === suite && row.task === task && row.instance === instance);
  const first = rows.find(({ status }) => status !== 'passed');
  if (rows.length === 0) return null;
  return {
    suite,
    task,
    instance,
    is_seed: isSeed,
    result: first?.status ?? 'passed',
    repetitions: rows.length,
    repetitions_passed: rows.filter(({ status }) => status === 'passed').length,
    median_wall_ms: median(rows.map((row) => row.wall_ms)),
    median_tool_calls: median(rows.map(({ steps }) => steps)),
    median_response_bytes: median(rows.map((row) => row.response_bytes)),
    cost_usd: costOf(rows),
    failed_contract: first?.failed_contract ?? null,
  };
}

function scoreOf(results: readonly TaskResult[]): Score | null {
  if (results.length === 0) return null;
  return { passed: results.filter(({ result }) => result === 'passed').length, tasks: results.length };
}

function costOf(rows: readonly Row[]): number | null {
  return rows.length === 0 ? null : sum(rows, (row) => row.cost_usd);
}
