import type { PlannedEpisode } from '../plan/plan.ts';
import type { Recorded } from '../row/recorded.ts';
import type { Pause } from './provider-watch.ts';
import type { Started } from './starts.ts';

/** An attempt that came to no end that anybody could tell of: whoever ran it is gone, or what came back is of no use. */
export interface Lost {
  lost: string;
}

/** @param allowanceUsd the most that the attempt may spend, where another process runs it */
export type Begin = (allowanceUsd?: number) => Promise<Started>;

/** Runs single attempts of episodes, wherever that is. What was recorded of an attempt lies in its folder of the bundle then. */
export interface AttemptRunner {
  /**
   * @param begin tells the ledger that the attempt begins; if it is never called, nobody has begun
   * @returns a pause if the money of the campaign does not cover the attempt: it has not begun
   */
  run(episode: PlannedEpisode, attempt: number, begin: Begin): Promise<Recorded | Lost | Pause>;
}
