import { NO_REPLY, OutageError, type TurnEnd, type Turns } from '../agent/turn.ts';
import { messageOf } from '../contract/message-of.ts';
import type { InterruptedBy } from '../contract/status.ts';
import type { Caps } from '../task/caps.ts';
import type { EventSink } from './episode-setup.ts';
import type { MoneyBudget, Settle } from './budget.ts';
import { type Ending, ending } from './trajectory.ts';

/** Most characters of a reply's problem. */
const MAX_PROBLEM = 4_000;

/** Sums of an episode's model calls that its caps limit. */
interface ModelSpent {
  /** Calls, answered or not. */
  turns: number;
  tokensIn: number;
  tokensOut: number;
  /** Null after a reply of unknown price. */
  costUsd: number | null;
}

export interface TurnMeterOptions {
  caps: Caps;
  sink: EventSink;
  /** Absent: the campaign has no cap in USD. */
  budget?: MoneyBudget | undefined;
}

/** Counts what an agent spends on its model, records each call, and stops the agent at a cap. */
export class TurnMeter implements Turns {
  readonly #options: TurnMeterOptions;
  readonly spent: ModelSpent = { ...NOTHING };
  stopped: Ending | null = null;
  #turn: OpenTurn | null = null;
  #isClosed = false;
  /** Settles the money that is reserved for the open call. */
  #settle: Settle | null = null;
  #awaitsMoney = false;

  constructor(options: TurnMeterOptions) {
    this.#options = options;
  }

  async afford(most: () => number, signal: AbortSignal): Promise<void> {
    const { budget } = this.#options;
    if (budget === undefined) return;
    this.#awaitsMoney = true;
    this.#settle = await budget.reserve(most(), signal);
    this.#awaitsMoney = false;
  }

  begin(): void {
    const { turns } = this.#options.caps;
    if (turns !== null && this.spent.turns >= turns) {
      this.stopped ??= ending('max_turns', `the cap of ${turns} turns`);
    }
    const empty = this.#options.budget?.empty ?? null;
    if (empty !== null && this.stopped === null) {
      this.stopped = this.#interrupted('budget', empty);
    }
    if (this.stopped !== null || this.#isClosed) {
      this.#pay(0);
      throw new Error(this.stopped?.detail ?? this.stopped?.stop ?? 'the episode is over');
    }
    this.spent.turns += 1;
    this.#turn = new OpenTurn();
  }

  asked(request: string): void {
    const { sink } = this.#options;
    if (this.#isClosed) return;
    sink.event({ type: 'turn', turn: this.spent.turns, request, request_blob: null });
  }

  held(why: string): void {
    this.#turn?.fail(why);
  }

  retried(why: string, waitMs: number): void {
    const { sink } = this.#options;
    if (this.#isClosed) return;
    const reason = sink.clean(why);
    this.#turn?.fail(reason);
    sink.event({ type: 'turn_retried', turn: this.spent.turns, why: reason, wait_ms: waitMs });
  }

  end({ reply, problem, stopReason, modelId, modelMs, usage }: TurnEnd): void {
    const { sink } = this.#options;
    if (this.#isClosed) return;
    // The error of a call that failed for good ends the agent's move, and explains more.
    if (reply !== null) this.#turn?.settle();
    this.#turn = null;
    const { spent } = this;
    spent.tokensIn += usage?.tokensIn ?? 0;
    spent.tokensOut += usage?.tokensOut ?? 0;
    if (usage !== null) spent.costUsd = sum(spent.costUsd, usage.costUsd);
    this.#pay(usage?.costUsd ?? 0);
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

  /** Ignores everything after the end of the episode. */
  close(): void {
    this.#isClosed = true;
    if (this.#settle !== null) this.#pay(0);
  }

  #pay(usd: number): void {
    if (this.#settle === null) this.#options.budget?.take(usd);
    else this.#settle(usd);
    this.#settle = null;
  }

  /** Resolves when it is known whether the provider fails in the open turn; null if no turn is open. */
  get settled(): Promise<void> | null {
    return this.#turn?.settled ?? null;
  }

  /** Returns the end at the wall cap: time that a failing provider took is not the entrant's. */
  timedOut(own: Ending): Ending {
    if (this.#awaitsMoney)
      return this.#interrupted('budget', `what is left is held for other calls, until ${own.detail ?? own.stop}`);
    const turn = this.#turn;
    if (turn !== null) this.end({ ...NO_REPLY, problem: own.detail });
    this.close();
    if (turn === null || turn.failure === null) return own;
    return this.#interrupted('outage', `${turn.failure}, until ${own.detail ?? own.stop}`);
  }

  failed(error: unknown): Ending {
    if (this.stopped !== null) return this.stopped;
    const why = this.#options.sink.clean(messageOf(error));
    return error instanceof OutageError ? this.#interrupted(error.kind, why) : ending('agent_error', why);
  }

  #interrupted(cause: InterruptedBy, why: string): Ending {
    this.#options.sink.event({ type: 'interrupted', cause, why });
    return ending('infra_error', why);
  }

  /** Stops the agent at a cap after each reply, before the reply is carried out. */
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

class OpenTurn {
  /** The provider's last failure. */
  failure: string | null = null;
  settle: () => void = () => {};
  readonly settled = new Promise<void>((resolve) => {
    this.settle = resolve;
  });

  fail(why: string): void {
    this.failure = why;
    this.settle();
  }
}

/** Adds two amounts; null if one is unknown. */
function sum(total: number | null, more: number | null): number | null {
  return total === null || more === null ? null : total + more;
}

const NOTHING: ModelSpent = { turns: 0, tokensIn: 0, tokensOut: 0, costUsd: 0 };
