import type { PlannedEpisode } from '../plan/plan.ts';
import type { Recorded } from '../row/recorded.ts';
import type { Started } from './starts.ts';

/** An attempt that came to no end that anybody could tell of: whoever ran it is gone, or what came back is of no use. */
export interface Lost {
  lost: string;
}

/** Runs single attempts of episodes, wherever that is. What was recorded of an attempt lies in its folder of the bundle then. */
export interface AttemptRunner {
  /** @param begin tells the ledger that the attempt begins; where it is never called, nobody has begun. */
  run(episode: PlannedEpisode, attempt: number, begin: () => Promise<Started>): Promise<Recorded | Lost>;
}
