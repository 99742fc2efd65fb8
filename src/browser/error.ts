import { messageOf } from '../contract/message-of.ts';
import { RemediedError } from '../contract/remedied-error.ts';

/** A browser that is missing, does not start or died; `remedy` says what a user can do about it. */
export class BrowserError extends RemediedError<
  'no_browser' | 'no_endpoint' | 'launch_failed' | 'browser_died' | 'protocol' | 'timeout'
> {}

/**
 * The browser ended before it answered.
 * @param why the fault for which we have cut the connection to it; null where it has ended by itself
 */
export function died(what: string, why: Error | null = null): BrowserError {
  if (why === null) return new BrowserError('browser_died', `the browser is gone (${what} was not answered)`, RETRY);
  const message = `the connection to the browser was cut (${what} was not answered): ${messageOf(why)}`;
  return new BrowserError('browser_died', message, RETRY, why);
}

/** The remedy for what a browser does once and, as a rule, not again. */
export const RETRY = 'run again; if it happens every time, run "touchstone doctor"';

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
  const what = `what the browser at ${shown} said could not be handled${message === null ? '' : ` (${event})`}`;
  return new BrowserError('protocol', `${what}: ${toldOf(error)}`, RETRY, error);
}

/** More comes of a browser that is not ours than any browser has: it would fill our memory. */
export function tooMany(what: string): BrowserError {
  return new BrowserError('protocol', `more than ${what}`, RETRY);
}

function toldOf(error: unknown): string {
  if (error instanceof BrowserError) return messageOf(error);
  const told = messageOf(error).replaceAll(/\s+/g, ' ').slice(0, MAX_TOLD);
  if (!(error instanceof Error)) return told;
  const place = PLACE.exec(error.stack ?? '')?.[1];
  return place === undefined ? `${error.name}: ${told}` : `${error.name}: ${told} (${place})`;
}
