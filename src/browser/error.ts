import { messageOf } from '../contract/message-of.ts';
import type { BROWSER } from '../messages/browser.ts';
import { FactError } from '../messages/fact-error.ts';
import { fact } from '../messages/messages.ts';

/** A browser is missing, does not start, has ended, or does not obey. */
export class BrowserError extends FactError<keyof typeof BROWSER> {}

/** Whether `--browser-endpoint` leads to no browser that can be used. */
export function isEndpointFault({ code }: BrowserError): boolean {
  return code.startsWith('endpoint_');
}

/** @param why why we cut the connection; null if the browser ended by itself */
export function died(what: string, why: Error | null = null): BrowserError {
  if (why === null) return new BrowserError(fact('browser_gone', { what }));
  return new BrowserError(fact('browser_cut_off', { what, why: messageOf(why) }), why);
}

/** The event of a message that the browser sends on its own account. */
const EVENT = /^\{"method":"([A-Za-z.]{1,80})"/;
/** Most characters that are shown of another error. */
const MAX_SHOWN = 300;
/** The place in a file at which an error was thrown, from the first line of its stack. */
const PLACE = /\n\s+at .*?([\w.-]+:\d+):\d+\)?(?:\n|$)/;

/** Shows the place where the error was thrown: the fault may be the browser's or ours. Message is null if it was not even one. */
export function unhandled(error: unknown, message: Buffer | null, shown: string): BrowserError {
  const event = EVENT.exec(message?.toString('latin1', 0, 120) ?? '')?.[1] ?? 'a reply';
  const named = message === null ? {} : { event: ` (${event})` };
  return new BrowserError(fact('browser_unhandled', { shown, why: shownOf(error), ...named }), error);
}

/** A foreign browser sends more than any browser would, and could fill our memory. */
export function tooMany(what: string): BrowserError {
  return new BrowserError(fact('browser_floods', { what }));
}

function shownOf(error: unknown): string {
  if (error instanceof BrowserError) return messageOf(error);
  const shown = messageOf(error).replaceAll(/\s+/g, ' ').slice(0, MAX_SHOWN);
  if (!(error instanceof Error)) return shown;
  const place = PLACE.exec(error.stack ?? '')?.[1];
  return place === undefined ? `${error.name}: ${shown}` : `${error.name}: ${shown} (${place})`;
}
