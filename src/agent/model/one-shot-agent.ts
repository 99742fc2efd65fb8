import type { Model } from '../../model/conversation.ts';
import type { ToolReply } from '../../task/tool.ts';
import { fact } from '../../messages/messages.ts';
import { type Agent, AgentError, type AgentSeat, type AgentSession, type Move } from '../agent.ts';
import type { ModelAgentOptions } from './model-agent.ts';
import { filled, taskText } from '../prompt.ts';
import { driftMove, refusedMove, takeTurn, replyText, Done, doneWith, inWords } from './take-turn.ts';
import { z } from 'zod';
import { JsonObject } from '../../contract/json.ts';
import { messageOf } from '../../contract/message-of.ts';

const Plan = z
  .strictObject({
    calls: z.array(z.strictObject({ tool: z.string(), args: JsonObject.default({}) })),
    done: Done.nullish(),
    give_up: z.string().nullish(),
  })
  .refine(({ done, give_up: reason }) => (done ?? null) === null || (reason ?? null) === null, 'ends in two ways');

/** Reads a plan: one JSON object, alone or in one fenced block. */
function parsePlan(text: string): { moves: Move[] } | { wrong: string } {
  const fenced = fencedIn(text);
  if (fenced.length > 1) return { wrong: `it holds ${fenced.length} blocks` };
  let json: unknown;
  try {
    json = JSON.parse(fenced[0] ?? text);
  } catch (error) {
    return { wrong: messageOf(error) };
  }
  const parsed = Plan.safeParse(json);
  if (!parsed.success) return { wrong: inWords(parsed.error) };
  const { calls, done, give_up: reason } = parsed.data;
  const end: Move = (reason ?? null) === null ? doneWith(done ?? {}) : { kind: 'give_up', reason: reason ?? '' };
  return { moves: [...calls.map((call): Move => ({ kind: 'call', call })), end] };
}

/** Returns the texts of the fenced blocks of a reply, line by line: a pattern could take quadratic time. */
function fencedIn(text: string): string[] {
  const blocks: string[] = [];
  let inside: string[] | null = null;
  for (const line of text.split('\n').map((each) => each.trimEnd())) {
    if (inside === null) {
      if (line === '```' || line === '```json') inside = [];
    } else if (line.endsWith('```')) {
      blocks.push([...inside, line.slice(0, -3)].join('\n'));
      inside = null;
    } else inside.push(line);
  }
  return blocks;
}

/** Looks once, asks a model once for a whole plan, and carries it out in order, even if a call fails. */
export function oneShotAgent(options: ModelAgentOptions): Agent {
  return {
    id: options.id,
    decider: 'model',
    open: async (seat) => new OneShotSession(options, await options.connect(), seat),
  };
}

class OneShotSession implements AgentSession {
  readonly #options: ModelAgentOptions;
  readonly #model: Model;
  readonly #seat: AgentSeat;
  #hasLooked = false;
  #moves: Move[] | null = null;

  constructor(options: ModelAgentOptions, model: Model, seat: AgentSeat) {
    this.#options = options;
    this.#model = model;
    this.#seat = seat;
  }

  async next(last: ToolReply | null, signal: AbortSignal): Promise<Move> {
    if (!this.#hasLooked) {
      this.#hasLooked = true;
      const look = await this.#seat.bind({ do: 'read' }, null);
      if (look.kind !== 'impossible') return { kind: 'call', call: look.call };
    }
    this.#moves ??= await this.#plan(last, signal).catch((error: unknown) => [driftMove(error)]);
    // The end of a plan counts as done.
    return this.#moves.shift() ?? { kind: 'done', answer: null };
  }

  async #plan(seen: ToolReply | null, signal: AbortSignal): Promise<Move[]> {
    const { prompt, price, maxOutputTokens } = this.#options;
    const { brief, turns } = this.#seat;
    const tools = this.#seat.tools.map(({ name, description, input_schema: args }) => ({ name, description, args }));
    const material = filled(prompt.material, {
      tools: tools.map((tool) => JSON.stringify(tool)).join('\n'),
      observation: seen === null ? 'nothing: this surface cannot be looked at' : seen.text,
    });
    const question = {
      system: `${prompt.system}\n\n${prompt.one_shot}`,
      messages: [{ from: 'user' as const, text: `${taskText(prompt, brief)}\n\n${material}`, ...pictureIn(seen) }],
      tools: [],
    };
    const reply = await takeTurn(this.#model, question, { price, maxOutputTokens, turns }, signal);
    if (reply.ending === 'refusal') return [refusedMove(reply)];
    if (reply.ending === 'cut_off') throw noPlan('it was cut off by the limit in length');
    const plan = parsePlan(replyText(reply.parts));
    if ('wrong' in plan) throw noPlan(plan.wrong);
    return plan.moves;
  }
}

function pictureIn(seen: ToolReply | null) {
  return seen?.image === undefined ? {} : { picture: { base64: seen.image.base64 } };
}

function noPlan(why: string): AgentError {
  return new AgentError(fact('reply_without_plan', { why }));
}
