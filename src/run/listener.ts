import type { Row } from '../bundle/row.ts';
import type { EpisodeEvent } from '../episode/events.ts';
import type { PlannedEpisode } from '../plan/plan.ts';

/** Is told how a campaign goes, as it goes. */
export interface CampaignListener {
  planned?(total: number, done: number): void;
  started?(episode: PlannedEpisode): void;
  event?(episode: PlannedEpisode, event: EpisodeEvent): void;
  /** The world of an episode did not close as it should; what was judged in it stands. */
  worldNotClosed?(episode: PlannedEpisode, why: string): void;
  /** A model's provider failed: the attempt is void, and the episode is attempted again. */
  interrupted?(episode: PlannedEpisode, why: string): void;
  /** The next episode waits for what this returns. */
  finished?(row: Row): void | Promise<void>;
}
