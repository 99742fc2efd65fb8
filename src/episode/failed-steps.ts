import { mainLine, shortened } from '../messages/printable.ts';
import type { EpisodeEvent, EventOf } from './events.ts';

/** Most characters of a call and of the reason why it failed. */
const MAX = { call: 200, why: 600 };

/** Describes the failing steps of an episode that follows written steps, as their author counts them. */
export class FailedSteps {
  /** Describes the first; null if none has failed. */
  first: string | null = null;
  #call: EventOf<'call'> | null = null;

  /** Takes the next event, and describes the step that failed with it. */
  take(event: EpisodeEvent): string | null {
    if (event.type === 'call') this.#call = event;
    if (event.type !== 'result' || event.ok) return null;
    const { written_step: written, args } = this.#call ?? {};
    const step = written === undefined ? `call ${event.step}` : `step ${written}`;
    const why = shortened(mainLine(event.text), MAX.why) || event.kind;
    const text = `${step} of the solution failed: ${why} (${shortened(`${event.tool} ${JSON.stringify(args ?? {})}`, MAX.call)})`;
    this.first ??= text;
    return text;
  }
}
