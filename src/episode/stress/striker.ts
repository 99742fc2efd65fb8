import type { Answer } from '../../contract/evidence.ts';
import type { SurfaceSession } from '../../surface/surface.ts';
import type { ToolCall, ToolReply } from '../../task/tool.ts';

/** How a fault comes over an episode. Each is asked of every tool call, whose numbers count from 1. */
export interface Striker {
  /** The agent has made up its mind, and the call is about to be made. */
  beforeCall?(number: number, call: ToolCall): Promise<void>;
  /** The agent is about to be shown this. */
  afterCall?(number: number, reply: ToolReply): Promise<void>;
  /** The surface that the agent acts through in the place of this one. */
  through?(surface: SurfaceSession): SurfaceSession;
  /** The agent has come to its end: nothing strikes any more, and what is left of it is taken away. */
  end(answer: Answer | null): Promise<void>;
}
