import type { Answer } from '../contract/evidence.ts';
import type { Stop } from '../contract/status.ts';
import type { ProcessIsolation } from '../process/sandbox/launch.ts';

/** How an entrant came to its end. */
export interface Ending {
  stop: Stop;
  /** In words; null when there is nothing to add. */
  detail: string | null;
  answer: Answer | null;
}

/** How an entrant's part went, as far as the episode itself has to know: all else is in its events. */
export interface Trajectory extends Ending {
  /** Calls that were made and seen; null of an agent that drives the browser itself. */
  steps: number | null;
  /** How a process of the entrant was kept apart; null where there was none. */
  isolation: ProcessIsolation | null;
  /** The agent's part of the time. */
  wallMs: number;
}

export function ending(stop: Stop, detail: string): Ending {
  return { stop, detail, answer: null };
}
