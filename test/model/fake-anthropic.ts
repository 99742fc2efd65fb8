import { type Answer, fakeProvider, text } from './fake-provider.ts';

interface Body {
  model: string;
  max_tokens: number;
  temperature?: number;
  stream?: boolean;
  system: unknown;
  tools: { name: string; input_schema: unknown }[];
  messages: { role: string; content: Record<string, unknown>[] }[];
}

/** A fake that is asked in the wire format of Anthropic's Messages API, as its documentation has it. */
export async function fakeAnthropic(script: readonly Answer[], first?: Answer) {
  return await fakeProvider<Body>(script, first === undefined ? undefined : () => first);
}

const USAGE = { input_tokens: 100, output_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

interface ReplyParts {
  content: unknown[];
  stop?: string;
  usage?: Record<string, number>;
}

/** The body of a reply. */
export function messageBody({ content, stop = 'tool_use', usage = {} }: ReplyParts): string {
  return JSON.stringify({
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-6',
    content,
    stop_reason: stop,
    stop_sequence: null,
    usage: { ...USAGE, ...usage },
  });
}

/** A whole reply. */
export function message(parts: ReplyParts): Answer {
  return text(messageBody(parts));
}

/** A reply that calls these tools, in this order. */
export function calls(...each: [tool: string, input: unknown][]): Answer {
  return message({ content: each.map(([name, input], index) => use(name, input, index)) });
}

let ids = 0;

export function use(name: string, input: unknown, index = 0): Record<string, unknown> {
  ids += 1;
  return { type: 'tool_use', id: `toolu_${ids}_${index}`, name, input };
}
