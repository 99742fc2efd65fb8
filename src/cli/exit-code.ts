import { BrowserError } from '../browser/error.ts';

/** What a run of the program came to, for CI. */
export const EXIT = { done: 0, gateNotMet: 1, badInput: 2, infrastructure: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * A failure that we know: what to print and how to exit; null for a bug of ours. Every error class of ours says what to
 * do about it in `remedy`; only the browser's are not about what the user gave us.
 */
export function knownFailure(error: unknown): { message: string; remedy: string; exit: ExitCode } | null {
  if (!(error instanceof Error) || !('remedy' in error) || typeof error.remedy !== 'string') return null;
  const exit = error instanceof BrowserError ? EXIT.infrastructure : EXIT.badInput;
  return { message: error.message, remedy: error.remedy, exit };
}
