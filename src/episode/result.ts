import type { Status, Stop } from '../contract/status.ts';
import type { TaskJudgement } from '../contract/judge-task.ts';

/** The result of an episode; its events tell what was done and counted in it. */
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
