import type { Row } from '../bundle/row.ts';
import type { EpisodeEvent } from '../episode/events.ts';
import type { PlannedEpisode } from '../plan/plan.ts';
import type { AskedFirst } from './ask-first.ts';

/** Is told how a campaign goes, as it goes. */
export interface CampaignListener {
  /** It is busy with this, before the first episode or after the last. */
  phase?(what: string): void;
  /** The counted row of an episode that was done already, told before `planned`. */
  earlier?(row: Row): void;
  /** @param why what decides the number of workers, where nobody has asked for one */
  planned?(total: number, done: number, workers: number, why?: string | null): void;
  /** A model has answered the question before the first episode. */
  askedFirst?(answer: AskedFirst): void;
  started?(episode: PlannedEpisode): void;
  event?(episode: PlannedEpisode, event: EpisodeEvent): void;
  /** The world of an episode did not close as it should; what was judged in it stands. */
  worldNotClosed?(episode: PlannedEpisode, why: string): void;
  /** A model's provider failed: the attempt is void, and the episode is attempted again. */
  interrupted?(episode: PlannedEpisode, why: string): void;
  /** The next episode of the same worker waits for what this returns. */
  finished?(row: Row): void | Promise<void>;
}
