import { RemediedError } from '../contract/remedied-error.ts';

/** A browser that is missing, does not start or died; `remedy` says what a user can do about it. */
export class BrowserError extends RemediedError<
  'no_browser' | 'no_endpoint' | 'launch_failed' | 'browser_died' | 'protocol' | 'timeout'
> {}

/** The browser ended before it answered. */
export function died(what: string): BrowserError {
  return new BrowserError('browser_died', `the browser is gone (${what} was not answered)`, RETRY);
}

/** The remedy for what a browser does once and, as a rule, not again. */
export const RETRY = 'run again; if it happens every time, run "touchstone doctor"';
