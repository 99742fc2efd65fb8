import type { EpisodeEvent } from '../../episode/events.ts';

/** A word about where an episode is; nothing in it is {@link printable} yet. */
export interface Doing {
  /** The step or the turn that it is at, such as `step 2`; null before the first and after the last. */
  at: string | null;
  words: string;
}

export const BEGINS: Doing = { at: null, words: 'begins' };

/** Tells where an episode is after an event; null where it is where it was. */
export function doingAfter(event: EpisodeEvent): Doing | null {
  const { type } = event;
  if (type === 'turn') return inPlace(`turn ${event.turn}`, 'the model is asked');
  if (type === 'turn_retried') return inPlace(`turn ${event.turn}`, 'waits for the provider');
  if (type === 'turn_ended') return inPlace(`turn ${event.turn}`, 'the model has answered');
  if (type === 'call' || type === 'reported_step') return inPlace(`step ${event.step}`, event.tool);
  if (type === 'captured' && event.moment === 'end') return { at: null, words: 'is judged' };
  const words = WORDS[type];
  return words === undefined ? null : { at: null, words };
}

function inPlace(at: string, what: string): Doing {
  return { at, words: `${at}: ${what}` };
}

const WORDS: Partial<Record<EpisodeEvent['type'], string>> = {
  reset: 'looks at the start',
  opened: 'starts the agent',
  acted: 'lets the page settle',
  interrupted: 'will be attempted again',
};
