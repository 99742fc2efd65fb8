import { AgentError } from '../agent/agent.ts';
import { BrowserError } from '../browser/error.ts';
import { BundleError } from '../bundle/errors.ts';
import { CampaignError } from '../campaign/error.ts';
import { UsageError } from './usage-error.ts';

/** What a run of the program came to, for CI. */
export const EXIT = { done: 0, gateNotMet: 1, badInput: 2, infrastructure: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure that we know: what to print and how to exit; null for a bug of ours. */
export function knownFailure(error: unknown): { message: string; remedy: string; exit: ExitCode } | null {
  if (error instanceof BrowserError) return { message: error.message, remedy: error.remedy, exit: EXIT.infrastructure };
  if (
    error instanceof CampaignError ||
    error instanceof BundleError ||
    error instanceof AgentError ||
    error instanceof UsageError
  ) {
    return { message: error.message, remedy: error.remedy, exit: EXIT.badInput };
  }
  return null;
}
