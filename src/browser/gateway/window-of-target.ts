import { type CdpCommand, commandIn } from './command.ts';

/** An answer that the browser does not give itself. */
export interface Denial {
  code: number;
  message: string;
}

/**
 * The headless shell ends when it is asked for the window of a target that it does not have, or of itself, so it is not asked: the answer
 * is full Chromium's. Null for every other command: of all that name a target, a window or a context, no other was seen to end either.
 * Refused with them is the tab around a page, of which the judge knows nothing, and for whose window no client is known to ask.
 * @param hasPage whether a page of this id is open
 */
export function windowDenialOf({ method, params = {} }: CdpCommand, hasPage: (id: unknown) => boolean): Denial | null {
  const { targetId, message } = params;
  if (method === 'Target.sendMessageToTarget' && typeof message === 'string') {
    const inner = commandIn(message);
    return inner === null ? null : windowDenialOf(inner, hasPage);
  }
  if (method !== 'Browser.getWindowForTarget' || targetId === undefined || hasPage(targetId)) return null;
  return { code: -32_602, message: 'No target with given id' };
}
