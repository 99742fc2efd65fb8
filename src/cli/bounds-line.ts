import { counted } from './counted.ts';
import { mostTime } from './estimate.ts';
import { durationText } from './live/course-text.ts';
import type { Planned } from './planning.ts';
import { mostUsd, plannedSpending } from './spending.ts';

/** Say what a campaign may cost and take at most; null of a part of one, as the caps of the rest would be in it. */
export function boundsText(planned: Pick<Planned, 'plan' | 'entrants' | 'maxUsd' | 'shard'>): string | null {
  const { plan, entrants, maxUsd, shard } = planned;
  if (shard !== undefined) return null;
  const spending = plannedSpending(plan, entrants);
  const most = `${durationText(mostTime(plan, entrants))} by caps, as a rule far less`;
  const unknown = spending.unpriced === 0 ? '' : `; ${counted(spending.unpriced, 'episode')} at an unknown price`;
  if (spending.episodes > 0) return `at most ${mostUsd(spending, maxUsd).toFixed(2)} USD and ${most}${unknown}`;
  return `${unknown === '' ? 'costs nothing; ' : ''}at most ${most}${unknown}`;
}
