import type { Command } from './command.ts';
import type { Refusal } from './command-policy.ts';

/** What the clients of one gateway have asked of the browser: the proof that a tool has worked on this browser. */
export class CommandLog {
  readonly #counts = new Map<string, number>();
  readonly #violations = new Map<string, number>();

  note({ method }: Command, refusal: Refusal | null): void {
    countOne(this.#counts, method);
    if (refusal?.isViolation === true) countOne(this.#violations, method);
  }

  /** All commands, those that were refused too. */
  get commands(): number {
    return [...this.#counts.values()].reduce((total, count) => total + count, 0);
  }

  /** How often each command was sent that a client has no right to, by method. */
  violations(): Record<string, number> {
    return Object.fromEntries(this.#violations);
  }
}

/** A client names methods as it likes: beyond so many different ones, the rest count as one. */
const MAX_METHODS = 1_000;

function countOne(counts: Map<string, number>, method: string): void {
  const name = counts.has(method) || counts.size < MAX_METHODS ? method : 'others';
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
