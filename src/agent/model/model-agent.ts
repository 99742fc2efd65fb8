import { JsonObject } from '../../contract/json.ts';
import {
  type CallResult,
  type Message,
  type Model,
  type ModelCall,
  type OfferedTool,
} from '../../model/conversation.ts';
import type { Price } from '../../model/prices.ts';
import type { ToolReply } from '../../task/tool.ts';
import { fact } from '../../messages/messages.ts';
import { type Agent, AgentError, type AgentSeat, type AgentSession, type Move } from '../agent.ts';
import { closingMove, closingTools, driftMove, refusedMove, takeTurn } from './take-turn.ts';
import { type Prompt, taskText } from '../prompt.ts';

export interface ModelAgentOptions {
  id: string;
  prompt: Prompt;
  price: Price | null;
  maxOutputTokens: number;
  connect(): Promise<Model>;
}

export function modelAgent(options: ModelAgentOptions): Agent {
  return {
    id: options.id,
    decider: 'model',
    open: async (seat) => new ModelSession(options, await options.connect(), seat),
  };
}

/** Most replies in a row without a call; the next one ends the episode. */
const MAX_IDLE_REPLIES = 1;

class ModelSession implements AgentSession {
  readonly #options: ModelAgentOptions;
  readonly #model: Model;
  readonly #seat: AgentSeat;
  readonly #closing: readonly OfferedTool[];
  readonly #messages: Message[];
  /** Calls of the last reply that are still to be made, and the results of those that were made. */
  #pending: ModelCall[] = [];
  #running: ModelCall | null = null;
  #results: CallResult[] = [];
  #idle = 0;

  constructor(options: ModelAgentOptions, model: Model, seat: AgentSeat) {
    this.#options = options;
    this.#model = model;
    this.#seat = seat;
    this.#closing = closingTools(options.prompt);
    this.#messages = [{ from: 'user', text: taskText(options.prompt, seat.brief) }];
  }

  async next(last: ToolReply | null, signal: AbortSignal): Promise<Move> {
    if (this.#running !== null && last !== null) this.#answer(this.#running, last);
    this.#running = null;
    for (;;) {
      const move = this.#nextCall() ?? (await this.#ask(signal).catch(driftMove));
      if (move !== null) return move;
    }
  }

  #nextCall(): Move | null {
    for (let call = this.#pending.shift(); call !== undefined; call = this.#pending.shift()) {
      const closing = closingMove(call.tool, call.args);
      if (closing !== null && 'kind' in closing) return closing;
      const args = JsonObject.safeParse(call.args);
      if (closing === null && args.success) {
        this.#running = call;
        return { kind: 'call', call: { tool: call.tool, args: args.data } };
      }
      const text = closing === null ? 'the arguments are not a JSON object' : closing.wrong;
      this.#answer(call, { ok: false, text });
    }
    return null;
  }

  #answer({ id, tool }: ModelCall, { ok, text, image }: Pick<ToolReply, 'ok' | 'text' | 'image'>): void {
    this.#results.push({ id, tool, ok, text, ...(image === undefined ? {} : { picture: { base64: image.base64 } }) });
  }

  /** Takes a turn. Calls of the reply become pending; one that ends the episode is returned. */
  async #ask(signal: AbortSignal): Promise<Move | null> {
    if (this.#results.length > 0) this.#messages.push({ from: 'tools', results: this.#results });
    this.#results = [];
    const { system, multi_turn: multiTurn } = this.#options.prompt;
    const question = { system: `${system}\n\n${multiTurn}`, messages: this.#messages, tools: this.#tools() };
    const reply = await takeTurn(this.#model, question, { ...this.#options, turns: this.#seat.turns }, signal);
    const { parts, ending } = reply;
    if (parts.length > 0) this.#messages.push({ from: 'model', parts });
    const calls = parts.flatMap((part) => (part.kind === 'call' ? [part.call] : []));
    if (ending === 'refusal') return refusedMove(reply);
    if (ending === 'whole' && calls.length > 0) {
      this.#idle = 0;
      this.#pending = calls;
      return null;
    }
    this.#remind(ending === 'cut_off' ? this.#options.prompt.cut_off : this.#options.prompt.no_call, calls);
    return null;
  }

  #remind(why: string, calls: readonly ModelCall[]): void {
    this.#idle += 1;
    if (this.#idle > MAX_IDLE_REPLIES) {
      throw new AgentError(fact('replies_without_call', { count: this.#idle }));
    }
    // Each call needs its result before any other message.
    if (calls.length === 0) this.#messages.push({ from: 'user', text: why });
    for (const call of calls) this.#answer(call, { ok: false, text: why });
  }

  #tools(): OfferedTool[] {
    const own = this.#seat.tools.map(({ name, description, input_schema: schema }) => ({ name, description, schema }));
    const taken = own.find(({ name }) => this.#closing.some((each) => each.name === name));
    if (taken === undefined) return [...own, ...this.#closing];
    throw new AgentError(fact('tool_name_taken', { tool: taken.name }));
  }
}
