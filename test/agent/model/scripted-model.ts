import type { Model, ModelReply, ModelQuestion, ReplyPart } from '../../../src/model/conversation.ts';

const USAGE = { input: 100, cacheRead: 20, cacheWrite: 10, output: 5 };

/** A reply with these parts; by default it stopped to call tools. */
export function reply(parts: ReplyPart[], change: Partial<ModelReply> = {}): ModelReply {
  return { parts, stopReason: 'tool_use', ending: 'whole', modelId: 'claude-x', usage: USAGE, ...change };
}

/** A call, named after what it is. */
export function call(tool: string, args: unknown = {}, id = tool): ReplyPart {
  return { kind: 'call', call: { id, tool, args } };
}

export function says(text: string): ReplyPart {
  return { kind: 'text', text };
}

/** A model in this process, which replies as the script says; what is asked of it is kept. */
export function scriptedModel(script: readonly (ModelReply | Error)[]) {
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
