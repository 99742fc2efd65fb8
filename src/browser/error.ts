/** A browser that is missing, does not start or died; `remedy` says what a user can do about it. */
export class BrowserError extends Error {
  readonly code: 'no_browser' | 'no_endpoint' | 'launch_failed' | 'browser_died' | 'protocol' | 'timeout';
  readonly remedy: string;

  constructor(code: BrowserError['code'], message: string, remedy: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'BrowserError';
    this.code = code;
    this.remedy = remedy;
  }
}

/** The remedy for what a browser does once and, as a rule, not again. */
export const RETRY = 'run again; if it happens every time, run "touchstone doctor"';
