import { messageOf } from '../contract/message-of.ts';
import { FactError } from '../messages/fact-error.ts';
import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';

/** One record of a bundle that is off. */
export interface BundleProblem {
  /** Relative to the bundle, with `/`; of a line, with its number: `ledger.jsonl:12`. */
  file: string;
  problem: Fact;
  /** `incomplete`: the run was ended early, which is no fault of what is there. */
  kind: 'broken' | 'incomplete';
}

export function fileProblem(file: string, problem: Fact): BundleProblem {
  return { file, problem, kind: 'broken' };
}

export function incomplete(file: string, problem: Fact): BundleProblem {
  return { file, problem, kind: 'incomplete' };
}

/** Returns the fact that an error was made from. */
export function factIn(error: unknown): Fact {
  return error instanceof FactError ? error.fact : fact('not_checked', { why: messageOf(error) });
}
