import { readFileSync } from 'node:fs';
import type { Agent, AgentSeat, Move } from '../../../src/agent/agent.ts';
import type { ModelAgentOptions } from '../../../src/agent/model/model-agent.ts';
import { parsePrompt } from '../../../src/agent/prompt.ts';
import type { Model, ModelReply, ModelQuestion, ReplyPart } from '../../../src/model/conversation.ts';
import type { ToolReply } from '../../../src/task/tool.ts';
import { NEVER } from '../seat.ts';

export const PROMPT = parsePrompt(readFileSync('prompts/default.md', 'utf8'));

const USAGE = { input: 100, cacheRead: 20, cacheWrite: 10, output: 5 };

/** A reply with these parts; by default it stopped to call tools. */
export function reply(parts: ReplyPart[], change: Partial<ModelReply> = {}): ModelReply {
  return { parts, stopReason: 'tool_use', ending: 'whole', modelId: 'claude-x', usage: USAGE, ...change };
}

export function call(tool: string, args: unknown = {}, id = tool): ReplyPart {
  return { kind: 'call', call: { id, tool, args } };
}

export function textPart(text: string): ReplyPart {
  return { kind: 'text', text };
}

/** A model that replies from a script, and the questions that it is asked. */
function scriptedModel(script: readonly (ModelReply | Error)[]) {
  const asked: ModelQuestion[] = [];
  const model: Model = {
    ask: (question, wire) => {
      asked.push(structuredClone(question));
      const next = script[asked.length - 1] ?? new Error('the script has ended');
      wire.requested(`request ${asked.length}`);
      if (next instanceof Error) return Promise.reject(next);
      wire.replied(`reply ${asked.length}`, 12);
      return Promise.resolve(next);
    },
  };
  return { model, asked };
}

type Reply = (tool: string) => ToolReply;

/** The moves of an agent whose model replies from a script; `replyTo` answers its calls. */
export async function movesWith(
  make: (options: ModelAgentOptions) => Agent,
  script: readonly (ModelReply | Error)[],
  seat: AgentSeat,
  replyTo: Reply,
): Promise<{ moves: Move[]; asked: ModelQuestion[] }> {
  const { model, asked } = scriptedModel(script);
  const price = { input: 3, cacheWrite: 3.75, cacheRead: 0.3, output: 15 };
  const connect = () => Promise.resolve(model);
  const session = await make({ id: 'm', prompt: PROMPT, price, maxOutputTokens: 4_096, connect }).open(seat);
  const moves: Move[] = [];
  for (let last: ToolReply | null = null; ;) {
    const move = await session.next(last, NEVER);
    moves.push(move);
    if (move.kind !== 'call') return { moves, asked };
    last = replyTo(move.call.tool);
  }
}

export const PICTURE: ToolReply = {
  ok: true,
  kind: 'picture',
  text: 'Page: a',
  image: { media_type: 'image/png', base64: 'AAAA' },
};
