import type { TargetReport } from '../../task/target.ts';
import type { ToolCall, ToolReply } from '../../task/tool.ts';
import type { BindingFile, CallPattern } from './binding-file.ts';
import { placeholdersIn } from './placeholders.ts';

/** The references that a reply shows. */
type RefsOf = (text: string) => ReadonlySet<string>;

/**
 * What is known of the targets of a foreign server's calls: whether the reference that a call names stood in what the server
 * has shown. How many things it matches, and why it was not acted on, only the server knows.
 */
export class ServerAim {
  readonly #patterns: readonly CallPattern[];
  readonly #refsOf: RefsOf;
  /** The arguments that hold a reference, whatever tool they are of. */
  readonly #refArguments: ReadonlySet<string>;
  #shown: ReadonlySet<string> = new Set();
  /** What was shown before that: who still names it has not made it up. */
  readonly #earlier = new Set<string>();

  constructor(binding: BindingFile, refsOf: RefsOf) {
    const { elements: _elements, ...patterns } = binding;
    this.#patterns = Object.values(patterns).filter((pattern) => pattern !== undefined);
    this.#refsOf = refsOf;
    const holding = this.#patterns.flatMap(({ args }) =>
      Object.entries(args).flatMap(([name, value]) => (isRef(value) ? [name] : [])),
    );
    this.#refArguments = new Set(holding);
  }

  /** @returns what the call aimed at; null when at nothing. What the reply shows is what later calls may name. */
  reportOf({ tool, args }: ToolCall, reply: ToolReply): TargetReport | null {
    const refs = Object.entries(args).flatMap(([name, value]) =>
      this.#refArguments.has(name) && typeof value === 'string' ? [value] : [],
    );
    const isShown = refs.every((ref) => this.#shown.has(ref));
    const wasShown = isShown || refs.every((ref) => this.#shown.has(ref) || this.#earlier.has(ref));
    this.#learn(this.#refsOf(reply.text));
    if (refs.length > 0) {
      const isGone = wasShown && !isShown && !reply.ok;
      const matched = { matched_then: null, matched_now: isGone ? 0 : null, actionable: null };
      return { shown: wasShown, ...matched, dispatched: reply.ok, invented: [] };
    }
    const isKnown = this.#patterns.some((pattern) => pattern.tool === tool);
    return isKnown ? null : { untold: 'what the other arguments of a foreign tool name is not known' };
  }

  #learn(found: ReadonlySet<string>): void {
    if (found.size === 0) return;
    for (const ref of this.#shown) this.#earlier.add(ref);
    this.#shown = found;
  }
}

function isRef(value: unknown): boolean {
  return typeof value === 'string' && placeholdersIn(value).includes('ref');
}
