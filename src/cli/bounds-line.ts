import type { Decider } from '../agent/agent.ts';
import { counted, durationText } from '../report/numbers.ts';
import { mostTime, mostUsd, plannedSpending } from './spending.ts';
import type { Planned } from './planning.ts';

/** Who decides by a program of somebody's, whose time nobody knows. */
const WAITED_FOR: ReadonlySet<Decider> = new Set<Decider>(['model', 'process']);

/** Say what a campaign may cost and take at most; null of a part of one, as the caps of the rest would be in it. */
export function boundsText(planned: Pick<Planned, 'plan' | 'entrants' | 'maxUsd' | 'shard'>): string | null {
  const { plan, entrants, maxUsd, shard } = planned;
  if (shard !== undefined) return null;
  const spending = plannedSpending(plan, entrants);
  const unknown = spending.unpriced === 0 ? '' : `; ${counted(spending.unpriced, 'episode')} at an unknown price`;
  // The caps of what only follows steps of ours say nothing of its time: it takes a few seconds.
  const isScripted = plan.entrants.every(({ agent }) => !WAITED_FOR.has(entrants.agent(agent).decider));
  if (isScripted && unknown === '' && spending.episodes === 0) return 'costs nothing';
  const most = `${durationText(mostTime(plan, entrants))} by caps, as a rule far less`;
  if (spending.episodes > 0) return `at most ${mostUsd(spending, maxUsd).toFixed(2)} USD and ${most}${unknown}`;
  return `${unknown === '' ? 'costs nothing; ' : ''}at most ${most}${unknown}`;
}
