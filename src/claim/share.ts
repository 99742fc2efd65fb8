import { clusteredProportion } from '../stats/clustered-proportion.ts';
import type { Interval } from '../stats/interval.ts';
import { wilsonInterval } from '../stats/wilson.ts';
import type { FiguredRow } from './figured-row.ts';
import { clusterTrials } from './group.ts';

/** A part of the episodes. */
export interface Share {
  count: number;
  of: number;
  /** Wilson's; over several tasks with the effective number of trials. Null without episodes. */
  interval: Interval | null;
}

/** Over one task the repetitions are independent; over several the tasks are. */
export function shareOf(rows: readonly FiguredRow[], is: (row: FiguredRow) => boolean): Share {
  const { successes, trials, interval } = clusteredProportion(clusterTrials(rows, is));
  return { count: successes, of: trials, interval: interval ?? wilsonInterval(successes, trials) };
}
