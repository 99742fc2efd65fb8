import { BrowserError } from '../browser/error.ts';
import { CampaignError } from '../plan/error.ts';
import { QueueError } from '../queue/queue-error.ts';
import { whyNotWritten } from '../run/new-folder.ts';
import { WorldError } from '../world/error.ts';
import type { Fact } from '../messages/message.ts';
import { FactError } from '../messages/fact-error.ts';
import { fact } from '../messages/messages.ts';

/** Exit codes of the program, for CI. */
export const EXIT = { done: 0, gateNotMet: 1, badInput: 2, infrastructure: 3, paused: 4 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * A failure that we know: what to print and how to exit; null for a bug of ours. Every error class of ours says what to
 * do about it in `remedy`; only the browser's, and those of installing, are not about what the user gave us.
 */
export function knownFailure(error: unknown): { message: string; remedy: string; exit: ExitCode } | null {
  if (!(error instanceof Error)) return null;
  if (!('remedy' in error) || typeof error.remedy !== 'string') return refusedByDisk(error);
  const exit = isInfrastructure(error) ? EXIT.infrastructure : EXIT.badInput;
  return { message: error.message, remedy: error.remedy, exit };
}

function isInfrastructure(error: Error): boolean {
  return (
    error instanceof BrowserError ||
    (error instanceof WorldError && error.code === 'app_cannot_be_installed') ||
    (error instanceof QueueError && error.isInfrastructure) ||
    (error instanceof CampaignError && error.code === 'attempt_lost')
  );
}

/** A disk that is full or may not be written, wherever we came upon it. Its other errors may well be faults of ours. */
function refusedByDisk(error: Error): ReturnType<typeof knownFailure> {
  const code = 'code' in error ? String(error.code) : '';
  const exit = DISK.get(code);
  if (exit === undefined) return null;
  const isFull = exit === EXIT.infrastructure;
  // Who writes to an open file is told no path.
  if (!('path' in error) && !isFull) return null;
  const place = 'path' in error ? String(error.path) : 'a disk that is written to';
  const message = `${place} cannot be used (${whyNotWritten(error) ?? code})`;
  return { message, remedy: 'make room there, or make it readable and writable for yourself', exit };
}

const DISK: ReadonlyMap<string, ExitCode> = new Map([
  ['EACCES', EXIT.badInput],
  ['EPERM', EXIT.badInput],
  ['EROFS', EXIT.badInput],
  ['ENOSPC', EXIT.infrastructure],
  ['EDQUOT', EXIT.infrastructure],
]);

/** A request that cannot be carried out as given; ends with exit code 2. */
export class UsageError extends FactError {
  constructor(given: Fact | string, remedy = '') {
    super(typeof given === 'string' ? fact('bad_request', { message: given, remedy }) : given);
  }
}
