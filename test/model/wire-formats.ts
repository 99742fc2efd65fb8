import { z } from 'zod';
import type { ProviderName } from '../../src/model/providers.ts';

/** A reply of a fake, in no provider's words. */
export interface Said {
  text?: string;
  calls?: readonly (readonly [tool: string, args: unknown])[];
  stop?: 'calls' | 'end' | 'length' | 'refusal';
  /** Tokens; those of the cache and of reasoning are none of the others. */
  fresh?: number;
  cached?: number;
  written?: number;
  reasoned?: number;
}

/** A question to a fake, in no provider's words. */
export interface Heard {
  system: unknown;
  tools: (string | undefined)[];
  maxTokens: number | undefined;
  temperature: number | undefined;
  /** Results of calls: the id of each, if the format has one, and the text. */
  results: { id: string | undefined; text: string }[];
}

/** A provider's wire format, as its documentation has it: small, and of our own making. */
export interface WireFormat {
  provider: ProviderName;
  /** The path between the server's address and the API's own paths. */
  base: string;
  path: string;
  /** The header that carries the key. */
  key: readonly [name: string, value: string];
  reply: (said: Said) => string;
  hear: (body: unknown) => Heard;
}

let ids = 0;

function nextId(): string {
  ids += 1;
  return `call_${ids}`;
}

const Chat = z.looseObject({
  max_tokens: z.number().optional(),
  max_completion_tokens: z.number().optional(),
  temperature: z.number().optional(),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown(), tool_call_id: z.string().optional() })),
});

/** OpenAI's Chat Completions, and what answers like it. The other counts are part of `prompt_tokens`. */
function chat(provider: ProviderName, base: string): WireFormat {
  const stops = { calls: 'tool_calls', end: 'stop', length: 'length', refusal: 'content_filter' };
  return {
    provider,
    base,
    path: `${base}/chat/completions`,
    key: ['authorization', 'Bearer sk-test-key'],
    reply: ({ text = null, calls = [], stop = 'calls', fresh = 100, cached = 0, written = 10, reasoned = 0 }) =>
      JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model: 'm-2026-01-01',
        choices: [
          {
            index: 0,
            finish_reason: stops[stop],
            message: {
              role: 'assistant',
              content: text,
              ...(provider === 'deepseek' && reasoned > 0 ? { reasoning_content: 'Let me think.' } : {}),
              tool_calls: calls.map(([name, args]) => ({
                id: nextId(),
                type: 'function',
                function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
              })),
            },
          },
        ],
        usage: {
          prompt_tokens: fresh + cached,
          completion_tokens: written + reasoned,
          total_tokens: fresh + cached + written + reasoned,
          ...(provider === 'deepseek'
            ? { prompt_cache_hit_tokens: cached, prompt_cache_miss_tokens: fresh }
            : { prompt_tokens_details: { cached_tokens: cached } }),
          completion_tokens_details: { reasoning_tokens: reasoned },
        },
      }),
    hear: (body) => {
      const { messages, tools = [], ...rest } = Chat.parse(body);
      return {
        system: messages[0]?.content,
        tools: tools.map((each) => each.function.name),
        maxTokens: rest.max_tokens ?? rest.max_completion_tokens,
        temperature: rest.temperature,
        results: messages
          .filter(({ role }) => role === 'tool')
          .map(({ tool_call_id: id, content }) => ({ id, text: String(content) })),
      };
    },
  };
}

const Gemini = z.looseObject({
  generationConfig: z.looseObject({ maxOutputTokens: z.number(), temperature: z.number().optional() }),
  systemInstruction: z.looseObject({ parts: z.array(z.looseObject({ text: z.string() })) }),
  tools: z.array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })) })).optional(),
  contents: z.array(
    z.looseObject({
      role: z.string(),
      parts: z.array(
        z.looseObject({
          functionResponse: z
            .looseObject({ id: z.string().optional(), name: z.string(), response: z.looseObject({}) })
            .optional(),
        }),
      ),
    }),
  ),
});

/** Google's `generateContent`: calls have no ids there, and thoughts are counted apart from the text. */
const gemini: WireFormat = {
  provider: 'google',
  base: '/v1beta',
  path: '/v1beta/models/m:generateContent',
  key: ['x-goog-api-key', 'sk-test-key'],
  reply: ({ text, calls = [], stop = 'calls', fresh = 100, cached = 0, written = 10, reasoned = 0 }) =>
    JSON.stringify({
      modelVersion: 'm-2026-01-01',
      candidates: [
        {
          index: 0,
          finishReason: { calls: 'STOP', end: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' }[stop],
          content: {
            role: 'model',
            parts: [
              ...(text === undefined ? [] : [{ text }]),
              ...calls.map(([name, args]) => ({
                functionCall: { name, args },
                ...(reasoned > 0 ? { thoughtSignature: 'c2lnbmF0dXJl' } : {}),
              })),
            ],
          },
        },
      ],
      usageMetadata: {
        promptTokenCount: fresh + cached,
        cachedContentTokenCount: cached,
        candidatesTokenCount: written,
        thoughtsTokenCount: reasoned,
        totalTokenCount: fresh + cached + written + reasoned,
      },
    }),
  hear: (body) => {
    const { generationConfig, systemInstruction, tools = [], contents } = Gemini.parse(body);
    return {
      system: systemInstruction.parts[0]?.text,
      tools: tools.flatMap((each) => each.functionDeclarations.map(({ name }) => name)),
      maxTokens: generationConfig.maxOutputTokens,
      temperature: generationConfig.temperature,
      results: contents
        .flatMap(({ parts }) => parts.flatMap((part) => part.functionResponse ?? []))
        .map(({ id, response }) => ({ id, text: String(response['content']) })),
    };
  },
};

const Messages = z.looseObject({
  max_tokens: z.number(),
  temperature: z.number().optional(),
  system: z.array(z.looseObject({ text: z.string() })),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  messages: z.array(
    z.looseObject({
      content: z.array(
        z.looseObject({ type: z.string(), tool_use_id: z.string().optional(), content: z.unknown().optional() }),
      ),
    }),
  ),
});

/** Anthropic's Messages: tokens from the cache are counted apart from `input_tokens`. */
const messages: WireFormat = {
  provider: 'anthropic',
  base: '/v1',
  path: '/v1/messages',
  key: ['x-api-key', 'sk-test-key'],
  reply: ({ text, calls = [], stop = 'calls', fresh = 100, cached = 0, written = 10, reasoned = 0 }) =>
    JSON.stringify({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm-2026-01-01',
      content: [
        ...(text === undefined ? [] : [{ type: 'text', text }]),
        ...calls.map(([name, input]) => ({ type: 'tool_use', id: nextId(), name, input })),
      ],
      stop_reason: { calls: 'tool_use', end: 'end_turn', length: 'max_tokens', refusal: 'refusal' }[stop],
      stop_sequence: null,
      usage: {
        input_tokens: fresh,
        cache_read_input_tokens: cached,
        cache_creation_input_tokens: 0,
        output_tokens: written + reasoned,
      },
    }),
  hear: (body) => {
    const asked = Messages.parse(body);
    return {
      system: asked.system[0]?.text,
      tools: (asked.tools ?? []).map(({ name }) => name),
      maxTokens: asked.max_tokens,
      temperature: asked.temperature,
      results: asked.messages
        .flatMap(({ content }) => content.filter(({ type }) => type === 'tool_result'))
        .map(({ tool_use_id: id, content }) => ({ id, text: String(content) })),
    };
  },
};

export const WIRE_FORMATS: readonly WireFormat[] = [
  messages,
  chat('openai', '/v1'),
  gemini,
  chat('deepseek', ''),
  chat('openai-compatible', '/v1'),
];
