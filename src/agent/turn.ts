import type { InterruptedBy } from '../contract/status.ts';

/** Tokens of one model call as the provider counted them, and what they cost by a table of prices. */
export interface TurnUsage {
  /** All that was read, from the provider's cache or anew. */
  tokensIn: number;
  /** Those of them that were read from the cache, and those that were written to it. */
  tokensCached: number;
  tokensCacheWritten: number;
  tokensOut: number;
  /** In USD; null where no table of prices has the model. */
  costUsd: number | null;
}

/** The end of one model call. */
export interface TurnEnd {
  /** The body of the reply as it came; null where none came. */
  reply: string | null;
  /** The problem with it; null when there is a reply to act on. */
  problem: string | null;
  stopReason: string | null;
  /** The model that has answered, as the reply says. */
  modelId: string | null;
  /** Time in the call that was answered, in ms; null where none was. */
  modelMs: number | null;
  usage: TurnUsage | null;
}

/** A call of which nothing has come. */
export const NO_REPLY: TurnEnd = {
  reply: null,
  problem: null,
  stopReason: null,
  modelId: null,
  modelMs: null,
  usage: null,
};

/**
 * Where an agent that asks a model tells of each call as it happens. Whoever listens counts, records, and says when there
 * may be no more.
 */
export interface Turns {
  /**
   * Resolves when there is money for the call that follows.
   * @param most that it can cost, in USD
   * @throws whatever the signal was fired with
   */
  afford(most: () => number, signal: AbortSignal): Promise<void>;
  /** Before each call. @throws Error when a cap is reached: the episode is over then. */
  begin(): void;
  /** @param request the body, as it is sent */
  asked(request: string): void;
  /** The call is not sent yet: the provider wants fewer of them for now. */
  held(why: string): void;
  /** The provider failed, and is asked again after `waitMs`. */
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
