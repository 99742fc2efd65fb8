import { EARLIER_VIEWS, type TargetReport } from '../../task/target.ts';
import type { ToolCall, ToolReply } from '../../task/tool.ts';
import type { BindingFile, CallPattern } from './binding-file.ts';
import { placeholdersIn } from '../placeholders.ts';

/** The references that a reply shows. */
type RefsOf = (text: string) => ReadonlySet<string>;

/**
 * Judges the targets of a foreign server's calls: whether the reference that a call names stood in what the server
 * has shown. How many things it matches, and why it was not acted on, only the server knows.
 */
export class ServerAim {
  /** Those of whose calls it is known what they aim at: by a reference, or at nothing. */
  readonly #patterns: readonly CallPattern[];
  readonly #refsOf: RefsOf;
  /** The arguments that hold a reference, whatever tool they are of. */
  readonly #refArguments: ReadonlySet<string>;
  /** The references of each view, the last first. */
  #views: readonly ReadonlySet<string>[] = [];

  constructor(binding: BindingFile, refsOf: RefsOf) {
    const { elements: _elements, click, fill, choose, ...others } = binding;
    const onElements = boundIn([click, fill, choose]);
    const elsewhere = boundIn(Object.values(others));
    this.#refsOf = refsOf;
    this.#refArguments = new Set([...onElements, ...elsewhere].flatMap(refArgumentsOf));
    this.#patterns = [...onElements.filter((pattern) => refArgumentsOf(pattern).length > 0), ...elsewhere];
  }

  /** @returns what the call aimed at; null when at nothing. What the reply shows is what later calls may name. */
  reportOf({ tool, args }: ToolCall, reply: ToolReply): TargetReport | null {
    const refs = Object.entries(args).flatMap(([name, value]) =>
      this.#refArguments.has(name) && typeof value === 'string' ? [value] : [],
    );
    const [last, ...earlier] = this.#views;
    const shown = refs.every((ref) => last?.has(ref) === true);
    const before = refs.every((ref) => earlier.some((view) => view.has(ref)));
    const found = this.#refsOf(reply.text);
    if (found.size > 0) this.#views = [found, ...this.#views].slice(0, 1 + EARLIER_VIEWS);
    if (refs.length > 0) {
      const isGone = before && !shown && !reply.ok;
      const matched = { matched_then: null, matched_now: isGone ? 0 : null, actionable: null };
      return { shown, shown_before: before, ...matched, dispatched: reply.ok, invented: [] };
    }
    const isKnown = this.#patterns.some((pattern) => pattern.tool === tool);
    return isKnown ? null : { untold: 'what the other arguments of a foreign tool name is not known' };
  }
}

function boundIn(patterns: readonly (CallPattern | undefined)[]): CallPattern[] {
  return patterns.filter((pattern) => pattern !== undefined);
}

function refArgumentsOf({ args }: CallPattern): string[] {
  return Object.entries(args).flatMap(([name, value]) => (isRef(value) ? [name] : []));
}

function isRef(value: unknown): boolean {
  return typeof value === 'string' && placeholdersIn(value).includes('ref');
}
