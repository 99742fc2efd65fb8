import { messageOf } from '../contract/message-of.ts';
import type { BROWSER } from '../messages/browser.ts';
import { FactError } from '../messages/fact-error.ts';
import { fact } from '../messages/messages.ts';

/** A browser is missing, does not start, has ended, or does not do what it was asked. */
export class BrowserError extends FactError<keyof typeof BROWSER> {}

/** Whether `--browser-endpoint` leads to no browser that can be used. */
export function isEndpointFault({ code }: BrowserError): boolean {
  return code.startsWith('endpoint_');
}

/**
 * The browser ended before it answered.
 * @param why the fault for which we have cut the connection to it; null where it has ended by itself
 */
export function died(what: string, why: Error | null = null): BrowserError {
  if (why === null) return new BrowserError(fact('browser_gone', { what }));
  return new BrowserError(fact('browser_cut_off', { what, why: messageOf(why) }), why);
}

/** The event of a message that the browser sends on its own account. */
const EVENT = /^\{"method":"([A-Za-z.]{1,80})"/;
/** Most characters of what went wrong that are told. */
const MAX_TOLD = 300;
/** The place in a file at which an error was thrown, as the first line of its stack has it. */
const PLACE = /\n\s+at .*?([\w.-]+:\d+):\d+\)?(?:\n|$)/;

/**
 * A message of a browser that is not ours could not be handled. Whether it has said what no browser says, or the error is one of ours,
 * nobody can tell: so the error is told, and where it was thrown.
 * @param message null of what is no message
 * @param shown where the browser is, to be printed
 */
export function unhandled(error: unknown, message: Buffer | null, shown: string): BrowserError {
  const event = EVENT.exec(message?.toString('latin1', 0, 120) ?? '')?.[1] ?? 'a reply';
  const named = message === null ? {} : { event: ` (${event})` };
  return new BrowserError(fact('browser_unhandled', { shown, why: toldOf(error), ...named }), error);
}

/** More comes of a browser that is not ours than any browser has: it would fill our memory. */
export function tooMany(what: string): BrowserError {
  return new BrowserError(fact('browser_floods', { what }));
}

function toldOf(error: unknown): string {
  if (error instanceof BrowserError) return messageOf(error);
  const told = messageOf(error).replaceAll(/\s+/g, ' ').slice(0, MAX_TOLD);
  if (!(error instanceof Error)) return told;
  const place = PLACE.exec(error.stack ?? '')?.[1];
  return place === undefined ? `${error.name}: ${told}` : `${error.name}: ${told} (${place})`;
}
