import { z } from 'zod';
import { clusteredProportion, Interval, wilsonInterval } from '../stats/proportion.ts';
import type { FiguredRow } from './figured-row.ts';
import { clusterTrials } from './group.ts';

export const Whole = z.int().min(0);
export const Rate = z.number().min(0).max(1);
export const Measured = z.number().nullable();
/** Why the figure next to it is null. */
export const Why = z.string().nullable();

/** A part of the episodes. */
export const Share = z.strictObject({
  count: Whole,
  of: Whole,
  /** Wilson's; over several tasks with the effective number of trials. Null without episodes. */
  interval: Interval.nullable(),
});
export type Share = z.infer<typeof Share>;

/** Over one task the repetitions are independent; over several the tasks are. */
export function shareOf(rows: readonly FiguredRow[], is: (row: FiguredRow) => boolean): Share {
  const { successes, trials, interval } = clusteredProportion(clusterTrials(rows, is));
  return { count: successes, of: trials, interval: interval ?? wilsonInterval(successes, trials) };
}
