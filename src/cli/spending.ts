import type { Entrants } from '../campaign/entrants.ts';
import type { Plan } from '../campaign/plan.ts';
import { capsOf } from '../task/brief.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** How many episodes of a plan somebody is billed for, and the most that they may spend by their caps, in USD. */
export function spendingOf(plan: Plan, entrants: Entrants): { episodes: number; usd: number } {
  const billed = plan.entrants.filter(({ agent }) => {
    const kind = entrants.agent(agent).model?.endpoint_kind;
    return kind === 'provider' || kind === 'custom';
  });
  const perEntrant = plan.tasks.reduce((sum, { task }) => sum + (capsOf(task, { asksModel: true }).maxUsd ?? 0), 0);
  return {
    episodes: billed.length * plan.tasks.length * plan.iterations,
    usd: billed.length * perEntrant * plan.iterations,
  };
}

/**
 * Says what a run may cost, and asks whether it shall begin. Nobody is asked where nobody is billed.
 * @throws UsageError when the answer is no, or there is nobody to ask and `--yes` was not given.
 */
export async function agreeOnSpending(
  { episodes, usd }: ReturnType<typeof spendingOf>,
  yes: boolean,
  terminal: Terminal,
): Promise<void> {
  if (episodes === 0) return;
  terminal.note(
    `${episodes} episode${episodes === 1 ? '' : 's'} of models that are paid for: at most ${usd.toFixed(2)} USD, the sum of their caps. ` +
      'A cap is looked at after each reply, so the last may pass it; an episode whose provider fails is run again, at most twice.',
  );
  if (yes) return;
  if (terminal.confirm === undefined) {
    throw new UsageError('models are paid for, and there is no terminal to ask', 'add --yes');
  }
  if (!(await terminal.confirm('Begin?'))) throw new UsageError('not begun', 'answer "y", or add --yes');
}
