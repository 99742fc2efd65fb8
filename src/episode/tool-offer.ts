import { hashJson } from '../contract/canonical.ts';
import type { SurfaceSession } from '../surface/surface.ts';
import type { ToolDefinition } from '../task/tool.ts';
import { wellFormedJson } from '../task/well-formed.ts';
import type { EventSink } from './ports.ts';
import type { EpisodeSetup } from './episode-setup.ts';

/** Where lists are told, and how they are measured. */
type Measures = Pick<EpisodeSetup, 'sink' | 'countTokens'>;

/** Records the tools that a surface offers in an episode. Some tool servers offer more as they go: every list is an event. */
export class ToolOffer {
  readonly #surface: SurfaceSession;
  readonly #sink: EventSink;
  readonly #countTokens: ((text: string) => number) | null;
  #listed: readonly ToolDefinition[] | null = null;
  #last: string | null = null;

  constructor(surface: SurfaceSession, { sink, countTokens }: Measures) {
    this.#surface = surface;
    this.#sink = sink;
    this.#countTokens = countTokens ?? null;
  }

  /** Looks at the list as it is now, and tells it if it is another than before. */
  async look(): Promise<void> {
    await this.#surface.refresh?.();
    const listed = this.#surface.tools;
    if (listed === this.#listed) return;
    this.#listed = listed;
    const tools = wellFormedJson([...this.#sink.clean(listed)]);
    const hash = hashJson(tools);
    // A server may announce other tools and list the same.
    if (hash === this.#last) return;
    this.#last = hash;
    const tokens = this.#countTokens?.(JSON.stringify(tools)) ?? null;
    const names = tools.map(({ name }) => name);
    this.#sink.event({ type: 'tools', names, tool_list_hash: hash, tokens, tools, tools_blob: null });
  }
}
