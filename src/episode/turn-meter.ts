import { NO_REPLY, OutageError, type TurnEnd, type Turns } from '../agent/turn.ts';
import { messageOf } from '../contract/message-of.ts';
import type { Caps } from '../task/caps.ts';
import type { EventSink } from './ports.ts';
import { type Ending, ending } from './trajectory.ts';

/** How much of what was wrong with a reply is told, in characters. */
const MAX_PROBLEM = 4_000;

/** What the model calls of an episode have come to, as far as its caps go by it. */
interface ModelSpent {
  /** Calls, whether they were answered or not. */
  turns: number;
  /** Of the replies that came. */
  tokensIn: number;
  tokensOut: number;
  /** Null once a reply came whose price is not known. */
  costUsd: number | null;
}

export interface TurnMeterOptions {
  caps: Caps;
  sink: EventSink;
}

/** Counts what an agent spends on its model, writes each call down, and says when a cap is reached. */
export class TurnMeter implements Turns {
  readonly #options: TurnMeterOptions;
  readonly spent: ModelSpent = { ...NOTHING };
  /** The cap that it was stopped at. */
  stopped: Ending | null = null;
  /** The turn that is under way, and what the provider has failed with in it. */
  #turn: { failure: string | null } | null = null;
  #isClosed = false;

  constructor(options: TurnMeterOptions) {
    this.#options = options;
  }

  begin(): void {
    const { turns } = this.#options.caps;
    if (turns !== null && this.spent.turns >= turns) {
      this.stopped ??= ending('max_turns', `the cap of ${turns} turns`);
    }
    if (this.stopped !== null) throw new Error(this.stopped.detail ?? this.stopped.stop);
    if (this.#isClosed) throw new Error('the episode is over');
    this.spent.turns += 1;
    this.#turn = { failure: null };
  }

  asked(request: string): void {
    const { sink } = this.#options;
    if (this.#isClosed) return;
    sink.event({ type: 'turn', turn: this.spent.turns, request, request_blob: null });
  }

  retried(why: string, waitMs: number): void {
    const { sink } = this.#options;
    if (this.#isClosed) return;
    const told = sink.clean(why);
    if (this.#turn !== null) this.#turn.failure = told;
    sink.event({ type: 'turn_retried', turn: this.spent.turns, why: told, wait_ms: waitMs });
  }

  end({ reply, problem, stopReason, modelId, modelMs, usage }: TurnEnd): void {
    const { sink } = this.#options;
    if (this.#isClosed) return;
    this.#turn = null;
    const { spent } = this;
    spent.tokensIn += usage?.tokensIn ?? 0;
    spent.tokensOut += usage?.tokensOut ?? 0;
    if (usage !== null) spent.costUsd = sum(spent.costUsd, usage.costUsd);
    sink.event({
      type: 'turn_ended',
      turn: spent.turns,
      reply: reply ?? '',
      reply_blob: null,
      problem: problem === null ? null : sink.clean(problem).slice(0, MAX_PROBLEM),
      stop_reason: stopReason,
      model: modelId,
      model_ms: modelMs,
      tokens_in: usage?.tokensIn ?? null,
      tokens_cached: usage?.tokensCached ?? null,
      tokens_cache_written: usage?.tokensCacheWritten ?? null,
      tokens_out: usage?.tokensOut ?? null,
      cost_usd: usage?.costUsd ?? null,
    });
    this.#hold();
  }

  /** What is told after the end of the episode is not heard. */
  close(): void {
    this.#isClosed = true;
  }

  /** How it ends when the wall cap is reached: what the provider has spoiled is not the entrant's. */
  timedOut(own: Ending): Ending {
    const turn = this.#turn;
    if (turn !== null) this.end({ ...NO_REPLY, problem: own.detail });
    this.close();
    return turn === null || turn.failure === null
      ? own
      : ending('infra_error', `${turn.failure}, until ${own.detail ?? own.stop}`);
  }

  /** How it ends when the agent throws. */
  failed(error: unknown): Ending {
    if (this.stopped !== null) return this.stopped;
    const stop = error instanceof OutageError ? 'infra_error' : 'agent_error';
    return ending(stop, this.#options.sink.clean(messageOf(error)));
  }

  /** Spending is looked at after each reply, before anything of it is carried out. */
  #hold(): void {
    const { tokens: maxTokens, cost_usd: maxUsd } = this.#options.caps;
    const { tokensIn, tokensOut, costUsd } = this.spent;
    const tokens = tokensIn + tokensOut;
    if (maxTokens !== null && tokens > maxTokens) {
      this.stopped ??= ending('budget_exceeded', `${tokens} tokens, and the cap is ${maxTokens}`);
    }
    if (maxUsd !== null && costUsd !== null && costUsd > maxUsd) {
      this.stopped ??= ending('budget_exceeded', `${Number(costUsd.toFixed(6))} USD, and the cap is ${maxUsd} USD`);
    }
  }
}

/** What is not known of a part is not known of the whole. */
function sum(total: number | null, more: number | null): number | null {
  return total === null || more === null ? null : total + more;
}

const NOTHING: ModelSpent = { turns: 0, tokensIn: 0, tokensOut: 0, costUsd: 0 };
