import { messageOf } from '../contract/message-of.ts';
import { FactError } from '../messages/fact-error.ts';
import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';

export interface BundleProblem {
  /** Relative to the bundle, with `/` and the number of a line: `ledger.jsonl:12`. */
  file: string;
  problem: Fact;
  /** `incomplete`: the run ended early; what is there may be sound. */
  kind: 'broken' | 'incomplete';
}

export function fileProblem(file: string, problem: Fact): BundleProblem {
  return { file, problem, kind: 'broken' };
}

export function incomplete(file: string, problem: Fact): BundleProblem {
  return { file, problem, kind: 'incomplete' };
}

export function factIn(error: unknown): Fact {
  return error instanceof FactError ? error.fact : fact('not_checked', { why: messageOf(error) });
}
