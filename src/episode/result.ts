import type { Status, Stop } from '../contract/status.ts';
import type { TaskJudgement } from '../contract/judge-task.ts';

/** What an episode came to; what was done and counted in it, its events tell. */
export interface EpisodeResult {
  status: Status;
  stop: Stop;
  /** Why it stopped, in words; null when there is nothing to add. */
  detail: string | null;
  /** The last judgement: of its end, else of its start; null when nothing was judged. */
  judged: TaskJudgement | null;
  /** False when the browser is not fit for another episode. */
  browserFit: boolean;
}
