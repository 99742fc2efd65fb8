import type { Answer } from '../contract/evidence.ts';
import type { Broken, Stop } from '../contract/status.ts';
import type { ProcessIsolation } from '../process/sandbox/launch.ts';
import type { EventOf } from './events.ts';

export interface Ending {
  stop: Stop;
  /** Null if there is nothing to add. */
  detail: string | null;
  answer: Answer | null;
  /** The part that broke, if it was not the agent. */
  broke?: Broken;
}

/** An entrant's part, as far as the episode itself has to know it; its events hold everything else. */
export interface Trajectory extends Ending {
  /** Calls that we carried out; null for an agent that drives the browser itself. */
  steps: number | null;
  /** Null if the entrant had no process of its own. */
  isolation: ProcessIsolation | null;
  /** The agent's part of the time. */
  wallMs: number;
}

export function ending(stop: Stop, detail: string): Ending {
  return { stop, detail, answer: null };
}

export function broken(broke: Broken, detail: string): Ending {
  return { ...ending('agent_error', detail), broke };
}

/**
 * The connection to the browser, which still runs, is lost.
 * @param fault why we have cut it; null if we have not
 */
export function cutOff(when: string, fault: string | null): Ending {
  return broken('connection', `the connection to the browser was lost${when}${fault === null ? '' : `: ${fault}`}`);
}

export function stopEvent({ stop, detail, answer, broke }: Ending): EventOf<'stop'> {
  return { type: 'stop', stop, detail, answer, ...(broke === undefined ? {} : { broke }) };
}
