import { hashJson } from '../contract/canonical.ts';
import type { SurfaceSession } from '../surface/surface.ts';
import type { ToolDefinition } from '../task/tool.ts';
import type { EventSink } from './ports.ts';

/** What a surface has offered in an episode. Some tool servers offer more as they go: every list is an event. */
export class ToolOffer {
  readonly #surface: SurfaceSession;
  readonly #sink: EventSink;
  readonly #countTokens: ((text: string) => number) | null;
  #listed: readonly ToolDefinition[] | null = null;
  #hash: string | null = null;
  #tokens: number | null = null;

  constructor(surface: SurfaceSession, sink: EventSink, countTokens: ((text: string) => number) | null) {
    this.#surface = surface;
    this.#sink = sink;
    this.#countTokens = countTokens;
  }

  /** Looks at the list, and tells it if it is another than before. */
  look(): void {
    const { tools } = this.#surface;
    if (tools === this.#listed) return;
    this.#listed = tools;
    const hash = hashJson(tools);
    this.#hash ??= hash;
    const tokens = this.#countTokens?.(JSON.stringify(tools)) ?? null;
    if (tokens !== null) this.#tokens = Math.max(this.#tokens ?? 0, tokens);
    this.#sink.event({ type: 'tools', names: tools.map(({ name }) => name), tool_list_hash: hash });
  }

  /** Hash of the first list. */
  get hash(): string | null {
    return this.#hash;
  }

  /** Tokens of the longest list; null where they are not counted. */
  get tokens(): number | null {
    return this.#tokens;
  }
}
