import { shortened } from '../messages/printable.ts';
import type { EpisodeEvent, EventOf } from './events.ts';

/** Most characters of a call and of the reason why it failed: apps and pages write parts of both. */
const MOST = { call: 200, why: 600 };

/** Tells of the failing steps of one episode that follows written steps, as their author counts them. */
export class FailedSteps {
  /** The words for the first; null where none has failed. */
  first: string | null = null;
  #call: EventOf<'call'> | null = null;

  /** Takes the next event; returns what to say of the step that failed with it, not yet printable, and null of all others. */
  take(event: EpisodeEvent): string | null {
    if (event.type === 'call') this.#call = event;
    if (event.type !== 'result' || event.ok) return null;
    const { written_step: written, args } = this.#call ?? {};
    const step = written === undefined ? `call ${event.step}` : `step ${written}`;
    const why = shortened(event.text.split('\n', 1).join('').trim(), MOST.why) || event.kind;
    const said = `${step} of the solution failed: ${why} (${shortened(`${event.tool} ${JSON.stringify(args ?? {})}`, MOST.call)})`;
    this.first ??= said;
    return said;
  }
}
