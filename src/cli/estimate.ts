import type { Row } from '../bundle/row.ts';
import type { Entrants } from '../plan/entrants.ts';
import { episodeCount, limitsOf, type Plan } from '../plan/plan.ts';
import { median } from '../stats/resampling.ts';
import { capsOf } from '../task/caps.ts';

/** Time and cost of the cells of a plan in an earlier bundle: sums of medians over the cells measured there. */
export interface CostEstimate {
  cells: number;
  /** Number of these cells in the earlier bundle, with the same task, agent, surface and model. */
  measured_cells: number;
  /** For all iterations of the cells that were measured; from the start of an episode to its sealed row. Null: of none. */
  time_ms: number | null;
  /** The same in USD; null where a cell that was measured has no cost. */
  cost_usd: number | null;
}

/** The most that the entrants' own time may come to, in ms; reset, judging and attempts after an outage are not in it. */
export function mostTime(plan: Plan, entrants: Entrants): number {
  const limits = limitsOf(plan);
  const all = plan.entrants.flatMap(({ agent }) => {
    const asksModel = entrants.agent(agent).decider === 'model';
    return plan.tasks.map(({ task }) => capsOf(task, limits, { asksModel }).wall_ms);
  });
  return all.reduce((sum, wallMs) => sum + wallMs, 0) * plan.iterations;
}

/** Estimates a plan from the medians of the counted episodes of an earlier bundle. */
export function estimateFrom(rows: readonly Row[], plan: Plan, entrants: Entrants): CostEstimate {
  const cells = plan.tasks.flatMap(({ task_hash: taskHash }) =>
    plan.entrants.map(({ agent, surface }) => {
      const modelId = entrants.agent(agent).model?.model_id ?? null;
      const own = rows.filter(
        (row) =>
          row.counts &&
          row.task_hash === taskHash &&
          row.agent === agent &&
          row.surface === surface &&
          row.model_id === modelId,
      );
      return { time: median(own.map(durationOf)), cost: median(own.map(({ cost_usd: cost }) => cost)) };
    }),
  );
  const measured = cells.filter(({ time }) => time !== null);
  const timesAll = (values: readonly (number | null)[]): number | null => {
    const known = values.filter((value) => value !== null);
    const isWhole = known.length === values.length && known.length > 0;
    return isWhole ? known.reduce((sum, value) => sum + value, 0) * plan.iterations : null;
  };
  return {
    cells: episodeCount({ ...plan, iterations: 1 }),
    measured_cells: measured.length,
    time_ms: timesAll(measured.map(({ time }) => time)),
    cost_usd: timesAll(measured.map(({ cost }) => cost)),
  };
}

function durationOf({ started_at: start, ended_at: end }: Row): number | null {
  return start === null || end === null ? null : Date.parse(end) - Date.parse(start);
}
