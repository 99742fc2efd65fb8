import { fact } from '../messages/messages.ts';
import type { AgentChoice } from '../agent/agent-choice.ts';
import { impossiblePair } from '../plan/possible-pair.ts';
import { plannedCaps } from '../plan/cell-caps.ts';
import type { Entrants } from '../plan/entrants.ts';
import { type Plan, episodeCount } from '../plan/plan.ts';
import { traitsOf } from '../surface/traits.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './exit-code.ts';
import { counted, durationText, dollarsText } from '../report/numbers.ts';
import { MAX_COLUMNS, wrapped } from './layout.ts';
import type { Row } from '../bundle/row.ts';
import { median } from '../stats/resampling.ts';
import type { Decider } from '../agent/agent.ts';
import type { Planned } from './planning.ts';

/** The most that a run may cost. */
interface Spending {
  /** Number of episodes billed at known prices, and the sum of their caps, in USD. */
  episodes: number;
  usd: number;
  /** Number of episodes billed at unknown prices, which no cap in USD limits. */
  unpriced: number;
}

/** Sums up what the models of a plan may cost. Impossible pairs cost nothing. */
export function plannedSpending(plan: Plan, entrants: Entrants): Spending {
  const billed = plan.entrants.flatMap(({ agent, surface }) => {
    const choice = entrants.agent(agent);
    const isPossible = impossiblePair(choice, surface, traitsOf(entrants.surface(surface))) === null;
    return isPossible && isBilled(choice) && choice.model !== undefined ? [choice.model.price_table !== null] : [];
  });
  const perEntrant = plan.tasks.reduce(
    (sum, { task }) => sum + (plannedCaps(plan, task, { asksModel: true }).cost_usd ?? 0),
    0,
  );
  const priced = billed.filter((hasPrice) => hasPrice).length;
  const perPair = plan.tasks.length * plan.iterations;
  return {
    episodes: priced * perPair,
    usd: priced * perEntrant * plan.iterations,
    unpriced: (billed.length - priced) * perPair,
  };
}

export function isBilled({ model }: Pick<AgentChoice, 'model'>): boolean {
  return model?.endpoint_kind === 'provider' || model?.endpoint_kind === 'custom';
}

/** Returns the most that a run may spend at known prices, in USD: the sum of the caps of its episodes, or its own cap. */
export function mostUsd({ usd }: Spending, maxUsd: number | null): number {
  return Math.min(usd, maxUsd ?? Infinity);
}

/**
 * Prints what a run may cost, and asks whether to begin if anything is billed.
 * @throws UsageError without consent: a `y` on the terminal, or `--yes`
 */
export async function agreeOnSpending(
  spending: Spending,
  { maxUsd, yes }: { maxUsd: number | null; yes: boolean },
  terminal: Terminal,
): Promise<void> {
  const { episodes, usd, unpriced } = spending;
  if (episodes + unpriced === 0) return;
  if (episodes > 0) {
    const isOwn = maxUsd !== null && maxUsd < usd;
    printParagraph(
      `${counted(episodes, 'episode')} of models that cost money: at most ${dollarsText(mostUsd(spending, maxUsd))}, ` +
        `${isOwn ? `by --max-usd; the sum of their caps is ${dollarsText(usd)}` : 'the sum of their caps'}. ` +
        'A cap is checked after each reply, so the last reply may exceed it. If a provider fails, the campaign pauses; the cost of failed attempts comes on top.',
      terminal,
    );
  }
  if (unpriced > 0) {
    printParagraph(
      `${counted(unpriced, 'episode')} of models whose price is not known here: neither a cap in USD nor --max-usd limits them, only the caps on steps, turns and time, and the task’s cap on tokens.`,
      terminal,
    );
  }
  if (yes) return;
  if (terminal.confirm === undefined) throw new UsageError(fact('spending_not_asked'));
  if (!(await terminal.confirm('Begin?'))) throw new UsageError(fact('spending_refused'));
}

function printParagraph(text: string, terminal: Terminal): void {
  for (const line of wrapped(text, Math.min(terminal.screen?.size.columns ?? MAX_COLUMNS, MAX_COLUMNS)))
    terminal.note(line);
}

/** Time and cost of the cells of a plan in an earlier bundle: sums of medians over the cells measured there. */
export interface CostEstimate {
  cells: number;
  /** Number of cells in the earlier bundle with the same task, agent, surface and model. */
  measured_cells: number;
  /** From the start of an episode to its sealed row, for all iterations of the measured cells. Null if none. */
  time_ms: number | null;
  /** The same in USD; null if a measured cell has no cost. */
  cost_usd: number | null;
}

/** Returns the most time of the entrants, in ms, without reset, judging and repeated attempts. */
export function mostTime(plan: Plan, entrants: Entrants): number {
  const all = plan.entrants.flatMap(({ agent }) => {
    const asksModel = entrants.agent(agent).decider === 'model';
    return plan.tasks.map(({ task }) => plannedCaps(plan, task, { asksModel }).wall_ms);
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

/** Deciders with programs of their own, whose time is unknown. */
const WAITED_FOR: ReadonlySet<Decider> = new Set<Decider>(['model', 'process']);

/** States what a campaign may cost and take at most; null for a part of one, since the caps include the rest. */
export function boundsText(planned: Pick<Planned, 'plan' | 'entrants' | 'maxUsd' | 'shard'>): string | null {
  const { plan, entrants, maxUsd, shard } = planned;
  if (shard !== undefined) return null;
  const spending = plannedSpending(plan, entrants);
  const unknown = spending.unpriced === 0 ? '' : `; ${counted(spending.unpriced, 'episode')} at an unknown price`;
  // Agents that follow our steps take a few seconds, regardless of their caps.
  const isScripted = plan.entrants.every(({ agent }) => !WAITED_FOR.has(entrants.agent(agent).decider));
  if (isScripted && unknown === '' && spending.episodes === 0) return 'costs nothing';
  const most = `${durationText(mostTime(plan, entrants))} by caps, as a rule far less`;
  if (spending.episodes > 0) return `at most ${dollarsText(mostUsd(spending, maxUsd))} and ${most}${unknown}`;
  return `${unknown === '' ? 'costs nothing; ' : ''}at most ${most}${unknown}`;
}
