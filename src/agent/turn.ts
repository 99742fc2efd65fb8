import type { InterruptedBy } from '../contract/status.ts';

export interface TurnUsage {
  /** All that was read, from the provider's cache or not. */
  tokensIn: number;
  /** Those read from the cache, and those written to it. */
  tokensCached: number;
  tokensCacheWritten: number;
  tokensOut: number;
  costUsd: number | null;
}

export interface TurnEnd {
  /** The body of the reply; null if there was none. */
  reply: string | null;
  /** Null if there is a reply to act on. */
  problem: string | null;
  stopReason: string | null;
  modelId: string | null;
  /** Time of the call that was answered; null if none was. */
  modelMs: number | null;
  usage: TurnUsage | null;
}

export const NO_REPLY: TurnEnd = {
  reply: null,
  problem: null,
  stopReason: null,
  modelId: null,
  modelMs: null,
  usage: null,
};

/** Receives the model calls of an agent as they happen, counts and records them, and ends them at a cap. */
export interface Turns {
  /**
   * Resolves when there is money for the next call.
   * @param most that it can cost, in USD
   * @throws the signal's reason
   */
  afford(most: () => number, signal: AbortSignal): Promise<void>;
  /** Before each call. @throws Error when a cap is reached, which ends the episode */
  begin(): void;
  asked(body: string): void;
  held(why: string): void;
  retried(why: string, waitMs: number): void;
  end(turn: TurnEnd): void;
}

/** The provider of a model failed, as its answers over HTTP show: proof from outside the entrant. */
export class OutageError extends Error {
  readonly kind: Exclude<InterruptedBy, 'budget'>;

  constructor(kind: OutageError['kind'], message: string) {
    super(message);
    this.name = 'OutageError';
    this.kind = kind;
  }
}
