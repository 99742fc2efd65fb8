import type { JsonObject } from '../../contract/json.ts';
import type { Command } from './command.ts';
import type { Refusal } from './command-policy.ts';
import { ScriptCalls } from './script-calls.ts';

/** What the clients of one gateway have asked of the browser: the proof that a tool has worked on this browser. */
export class CommandLog {
  readonly #counts = new Map<string, number>();
  readonly #violations = new Map<string, number>();
  readonly #scripts = new ScriptCalls();

  /** What the clients do from now on may be for this tool call, whose arguments the agent wrote. */
  callBegins(args: JsonObject): void {
    this.#scripts.callBegins(args);
  }

  note(command: Command, refusal: Refusal | null): void {
    countOne(this.#counts, command.method);
    if (refusal === null) this.#scripts.note(command);
    else if (refusal.isViolation) countOne(this.#violations, command.method);
  }

  /** All commands, those that were refused too. */
  get commands(): number {
    return [...this.#counts.values()].reduce((total, count) => total + count, 0);
  }

  /** The tool calls, counted from 1, that brought a script of the agent's own into a page. */
  get scriptSteps(): readonly number[] {
    return this.#scripts.steps;
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
