import type { Retry } from './patient.ts';
import type { Usage } from './prices.ts';

/** A picture that a surface replied with, a PNG. */
export interface ModelPicture {
  base64: string;
}

/** Every PNG in Base64 begins with the signature of the format, and holds more than that. */
const PICTURE = /iVBORw0KGgo[A-Za-z0-9+/]{16,}={0,2}/g;

/**
 * A text, such as the body of a request, with a word in the place of each picture: two pictures of one page differ by a
 * caret, and a request would hold little else.
 */
export function withoutPictures(text: string): string {
  return text.replaceAll(PICTURE, '<picture>');
}

/**
 * A call that brought no reply to act on. `outage`: the provider failed or could not be reached, as its answers over HTTP show.
 * `turned_away`: it does not serve this key, account or model. `refused`: it would not take this request. `malformed`: it
 * answered, and the answer is not a reply.
 */
export class ModelError extends Error {
  readonly kind: 'outage' | 'turned_away' | 'refused' | 'malformed';

  constructor(kind: ModelError['kind'], message: string) {
    super(message);
    this.name = 'ModelError';
    this.kind = kind;
  }
}

/** A request that is not the one that was recorded. */
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

/** A tool as a model is offered it; `schema` is the JSON Schema of its arguments, an object. */
export interface OfferedTool {
  name: string;
  description: string;
  schema: Record<string, unknown>;
}

/** A call that a model asks for. What its arguments are is for the caller to check. */
export interface ModelCall {
  id: string;
  tool: string;
  args: unknown;
}

/** The result of one, for the model. */
export interface CallResult {
  id: string;
  tool: string;
  ok: boolean;
  text: string;
  picture?: ModelPicture | undefined;
}

/** Data that a provider wants back with a part as it came, by provider: a signature of its thoughts, for example. */
export type Memo = Record<string, Record<string, MemoValue | undefined>>;
type MemoValue = string | number | boolean | null | MemoValue[] | { [name: string]: MemoValue | undefined };

/** `thought` is the model's reasoning. Some providers require it back; nothing else reads it. */
export type ReplyPart = { memo?: Memo } & (
  | { kind: 'text'; text: string }
  | { kind: 'thought'; text: string }
  | { kind: 'call'; call: ModelCall }
);

/** One message after the other, as any provider's API can hold them. */
export type Message =
  | { from: 'user'; text: string; picture?: ModelPicture | undefined }
  | { from: 'model'; parts: readonly ReplyPart[] }
  | { from: 'tools'; results: readonly CallResult[] };

/** All that a model is asked at once. */
export interface ModelQuestion {
  system: string;
  messages: readonly Message[];
  tools: readonly OfferedTool[];
}

export interface ModelReply {
  parts: ReplyPart[];
  /** In the provider's word. */
  stopReason: string;
  /** `cut_off`: by a limit in length, so that the last part may be a torn one. */
  ending: 'whole' | 'cut_off' | 'refusal';
  /** The model named in the reply. */
  modelId: string | null;
  usage: Usage;
}

/** Reports the bytes on the wire as they pass. */
export interface ProviderWire {
  requested(body: string): void;
  held(why: string): void;
  retried(retry: Retry): void;
  /** @param ms time in the call that was answered */
  replied(body: string, ms: number): void;
}

/** A model that can be asked. */
export interface Model {
  /** @throws ModelError, ModelDrift, or the signal's reason. */
  ask(question: ModelQuestion, wire: ProviderWire, signal: AbortSignal): Promise<ModelReply>;
}
