import type { Answer } from '../contract/evidence.ts';
import type { Stop } from '../contract/status.ts';
import type { ProcessIsolation } from '../process/sandbox/launch.ts';

/** The end of an entrant. */
export interface Ending {
  stop: Stop;
  /** In words; null when there is nothing to add. */
  detail: string | null;
  answer: Answer | null;
}

/** An entrant's part, as far as the episode itself has to know: all else is in its events. */
export interface Trajectory extends Ending {
  /** Calls that were made and seen; null of an agent that drives the browser itself. */
  steps: number | null;
  /** Isolation of the entrant's process; null where there was none. */
  isolation: ProcessIsolation | null;
  /** The agent's part of the time. */
  wallMs: number;
}

/**
 * The connection to the browser is lost, which then runs still.
 * @param fault why we have cut it; null where we have not
 */
export function cutOff(when: string, fault: string | null): Ending {
  const detail = `the connection to the browser was lost${when}`;
  return ending('agent_error', fault === null ? detail : `${detail}: ${fault}`);
}

export function ending(stop: Stop, detail: string): Ending {
  return { stop, detail, answer: null };
}
