import type { AgentChoice } from '../agent/agent-choice.ts';
import { impossiblePair } from '../plan/possible-pair.ts';
import type { Entrants } from '../plan/entrants.ts';
import { limitsOf, type Plan } from '../plan/plan.ts';
import { traitsOf } from '../surface/traits.ts';
import { capsOf } from '../task/caps.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './exit-code.ts';
import { counted } from '../report/numbers.ts';
import { MOST_COLUMNS } from './layout.ts';
import { broken } from './layout.ts';

/** The most that a run may cost. */
interface Spending {
  /** Number of episodes billed at known prices, and the most that they may spend by their caps, in USD. */
  episodes: number;
  usd: number;
  /** Number of episodes billed at unknown prices: no cap in USD limits them. */
  unpriced: number;
}

/** Sums up what the models of a plan may cost. An impossible pair costs nothing. */
export function plannedSpending(plan: Plan, entrants: Entrants): Spending {
  const billed = plan.entrants.flatMap(({ agent, surface }) => {
    const choice = entrants.agent(agent);
    const isPossible = impossiblePair(choice, surface, traitsOf(entrants.surface(surface))) === null;
    return isPossible && isBilled(choice) && choice.model !== undefined ? [choice.model.price_table !== null] : [];
  });
  const perEntrant = plan.tasks.reduce(
    (sum, { task }) => sum + (capsOf(task, limitsOf(plan), { asksModel: true }).cost_usd ?? 0),
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

/** Whether somebody has to pay for what an agent's model answers. */
export function isBilled({ model }: Pick<AgentChoice, 'model'>): boolean {
  return model?.endpoint_kind === 'provider' || model?.endpoint_kind === 'custom';
}

/** Return the most that a run may spend by known prices, in USD: the sum of the caps of its episodes, or its own cap. */
export function mostUsd({ usd }: Spending, maxUsd: number | null): number {
  return Math.min(usd, maxUsd ?? Infinity);
}

/**
 * Says what a run may cost, and asks whether it shall begin. Nobody is asked where nobody is billed.
 * @throws UsageError when the answer is no, or there is nobody to ask and `--yes` was not given.
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
    tell(
      `${counted(episodes, 'episode')} of models that cost money: at most ${mostUsd(spending, maxUsd).toFixed(2)} USD, ` +
        `${isOwn ? `by --max-usd; the sum of their caps is ${usd.toFixed(2)} USD` : 'the sum of their caps'}. ` +
        'A cap is checked after each reply, so the last reply may exceed it. If a provider fails, the campaign pauses; the cost of failed attempts comes on top.',
      terminal,
    );
  }
  if (unpriced > 0) {
    tell(
      `${counted(unpriced, 'episode')} of models whose price is not known here: no cap in USD limits them, only the caps on steps, turns and time, and the task’s cap on tokens.`,
      terminal,
    );
  }
  if (yes) return;
  if (terminal.confirm === undefined) {
    throw new UsageError('these models cost money, and there is no terminal to ask on', 'add --yes');
  }
  if (!(await terminal.confirm('Begin?'))) throw new UsageError('not begun', 'answer "y", or add --yes');
}

/** Prints a paragraph in lines that a terminal need not break. */
function tell(text: string, terminal: Terminal): void {
  for (const line of broken(text, Math.min(terminal.screen?.size.columns ?? MOST_COLUMNS, MOST_COLUMNS)))
    terminal.note(line);
}
