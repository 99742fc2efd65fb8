import type { Answer } from '../contract/evidence.ts';
import type { JsonObject } from '../contract/json.ts';
import type { FaultProof } from './fields.ts';
import type { ReplyInstead, ServerCall } from './ports.ts';

/** A fault at work in one episode. It receives every tool call; calls are numbered from 1. */
export interface Injection {
  /** The agent has made up its mind, and the call is about to be made. */
  beforeCall?(number: number, call: { tool: string; args: JsonObject }): Promise<void>;
  /** The agent is about to be shown this. */
  afterCall?(number: number, reply: ShownReply): Promise<void>;
  /** The call is to be made through a tool server. Null: the server's own reply stands. */
  readonly inCall?: (call: ServerCall) => Promise<ReplyInstead | null>;
  /** The agent has ended: nothing more is injected, and leftovers are removed. */
  end(answer: Answer | null): Promise<void>;
}

/** A reply of a surface, as far as a fault looks at it. */
export interface ShownReply {
  ok: boolean;
  text: string;
  image?: unknown;
}

/** Where a fault notes what has become of it. */
export interface FaultOutcome {
  readonly hasFired: boolean;
  fire(proof: FaultProof): void;
  /** Does nothing before it has fired. */
  clear(by: 'time' | 'agent' | 'harness'): void;
  /** The agent followed an injected order that it was shown. */
  obeyed(): void;
}
