import { BrowserError } from '../browser/error.ts';
import { CampaignError } from '../plan/error.ts';
import { QueueError } from '../queue/queue-error.ts';
import { whyNotWritten } from '../run/new-folder.ts';
import { WorldError } from '../world/error.ts';
import { FactError } from '../messages/fact-error.ts';

/** Exit codes of the program, for CI. */
export const EXIT = { done: 0, gateNotMet: 1, badInput: 2, infrastructure: 3, paused: 4 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The message, remedy and exit code of a known failure; null for a bug of ours. */
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

/** Explains a disk that is full or cannot be written. Other disk errors may be our bugs. */
function refusedByDisk(error: Error): ReturnType<typeof knownFailure> {
  const code = 'code' in error ? String(error.code) : '';
  const exit = DISK.get(code);
  if (exit === undefined) return null;
  const isFull = exit === EXIT.infrastructure;
  // An error of writing to an open file has no path.
  if (!('path' in error) && !isFull) return null;
  const place = 'path' in error ? String(error.path) : 'a disk';
  const message = `${place} cannot be used (${whyNotWritten(error) ?? code})`;
  return { message, remedy: 'free some space there, or make it readable and writable for your user', exit };
}

const DISK: ReadonlyMap<string, ExitCode> = new Map([
  ['EACCES', EXIT.badInput],
  ['EPERM', EXIT.badInput],
  ['EROFS', EXIT.badInput],
  ['ENOSPC', EXIT.infrastructure],
  ['EDQUOT', EXIT.infrastructure],
]);

/** A request that cannot be carried out; ends with exit code 2. */
export class UsageError extends FactError {}
