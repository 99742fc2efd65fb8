import type { Retry } from './patient.ts';
import type { Usage } from './prices.ts';

export interface ModelPicture {
  base64: string;
}

const PICTURE = /iVBORw0KGgo[A-Za-z0-9+/]{16,}={0,2}/g;

/** Replaces pictures, since two of the same page may differ by a caret. */
export function withoutPictures(text: string): string {
  return text.replaceAll(PICTURE, '<picture>');
}

/**
 * A call without a reply to act on. `outage`: the provider failed or could not be reached. `turned_away`: it does not serve this key, account
 * or model. `refused`: it rejected this request. `malformed`: its answer is not a reply.
 */
export class ModelError extends Error {
  readonly kind: 'outage' | 'turned_away' | 'refused' | 'malformed';

  constructor(kind: ModelError['kind'], message: string) {
    super(message);
    this.name = 'ModelError';
    this.kind = kind;
  }
}

export class ModelDrift extends Error {
  readonly expected: string;
  readonly actual: string;

  constructor(expected: string, actual: string) {
    super(`expected ${expected}, but ${actual}`);
    this.name = 'ModelDrift';
    this.expected = expected;
    this.actual = actual;
  }
}

export interface OfferedTool {
  name: string;
  description: string;
  schema: Record<string, unknown>;
}

/** A call that a model asks for. Its arguments are not checked yet. */
export interface ModelCall {
  id: string;
  tool: string;
  args: unknown;
}

export interface CallResult {
  id: string;
  tool: string;
  ok: boolean;
  text: string;
  picture?: ModelPicture | undefined;
}

/** Data that a provider wants back with a part unchanged, by provider: a signature of its thoughts, for example. */
export type Memo = Record<string, Record<string, MemoValue | undefined>>;
type MemoValue = string | number | boolean | null | MemoValue[] | { [name: string]: MemoValue | undefined };

/** A `thought` is the model's reasoning, which some providers require back. */
export type ReplyPart = { memo?: Memo } & (
  | { kind: 'text'; text: string }
  | { kind: 'thought'; text: string }
  | { kind: 'call'; call: ModelCall }
);

export type Message =
  | { from: 'user'; text: string; picture?: ModelPicture | undefined }
  | { from: 'model'; parts: readonly ReplyPart[] }
  | { from: 'tools'; results: readonly CallResult[] };

export interface ModelQuestion {
  system: string;
  messages: readonly Message[];
  tools: readonly OfferedTool[];
}

export interface ModelReply {
  parts: ReplyPart[];
  /** In the provider's words. */
  stopReason: string;
  /** `cut_off`: by a limit in length; the last part may be incomplete. */
  ending: 'whole' | 'cut_off' | 'refusal';
  modelId: string | null;
  usage: Usage;
}

export interface ProviderWire {
  requested(body: string): void;
  held(why: string): void;
  retried(retry: Retry): void;
  replied(body: string, ms: number): void;
}

export interface Model {
  /** @throws ModelError, ModelDrift, or the signal's reason */
  ask(question: ModelQuestion, wire: ProviderWire, signal: AbortSignal): Promise<ModelReply>;
}
