import { createAnthropic } from '@ai-sdk/anthropic';
import type { Message, Model, ModelReply, OfferedTool, ReplyPart, Wire } from './conversation.ts';
import { ModelError } from './error.ts';
import { askPatiently, type Patience } from './patient.ts';
import type { HttpReply, Transport } from './transport.ts';

export interface AnthropicOptions {
  id: string;
  key: string;
  /** What `/messages` is appended to. */
  url: string;
  temperature: number;
  /** Most tokens of one reply. */
  maxOutputTokens: number;
  transport: Transport;
  patience: Patience;
}

type SdkModel = ReturnType<ReturnType<typeof createAnthropic>>;
type SdkCall = Parameters<SdkModel['doGenerate']>[0];
type SdkReply = Awaited<ReturnType<SdkModel['doGenerate']>>;

/** The prompt so far is kept in the provider's cache for five minutes, and the next turn reads it from there. */
const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/**
 * A model behind Anthropic's Messages API. The provider package of the AI SDK writes the request and reads the reply; its
 * loop and its retries, which are in another package, are not used. Replies are not streamed.
 */
export function anthropicModel(options: AnthropicOptions): Model {
  return {
    ask: async ({ system, messages, tools }, wire, signal) => {
      const line = openLine(options, wire, signal);
      const model = createAnthropic({ apiKey: options.key, baseURL: options.url, fetch: line.fetch })(options.id);
      const call: SdkCall = {
        prompt: [
          { role: 'system', content: system, providerOptions: CACHED },
          ...messages.map((message, index) => sdkMessage(message, index === messages.length - 1)),
        ],
        tools: tools.map(sdkTool),
        temperature: options.temperature,
        maxOutputTokens: options.maxOutputTokens,
        abortSignal: signal,
      };
      try {
        return replyOf(await model.doGenerate(call));
      } catch (error) {
        if (line.fault() !== null || !line.isAnswered()) throw line.fault() ?? error;
        throw new ModelError(
          'malformed',
          `the reply is none of this API: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    },
  };
}

/** The `fetch` that the SDK is given, and what went wrong on it, which the SDK would wrap. */
function openLine({ transport, patience }: AnthropicOptions, wire: Wire, signal: AbortSignal) {
  let fault: unknown = null;
  let isAnswered = false;
  const send = async (url: string, init: RequestInit | undefined): Promise<Response> => {
    const body = typeof init?.body === 'string' ? init.body : '';
    wire.requested(body);
    const request = { url, headers: Object.fromEntries(new Headers(init?.headers)), body };
    const onRetry = (retry: Parameters<Wire['retried']>[0]): void => {
      wire.retried(retry);
    };
    const { reply, ms } = await askPatiently(transport, request, patience, signal, onRetry);
    isAnswered = true;
    wire.replied(reply.body, ms);
    if (reply.status >= 300) throw turnedDown(reply);
    return new Response(reply.body, { status: reply.status, headers: { 'content-type': 'application/json' } });
  };
  const fetchHere: typeof fetch = async (input, init) => {
    try {
      return await send(input instanceof Request ? input.url : String(input), init);
    } catch (error) {
      fault = error;
      throw error;
    }
  };
  return { fetch: fetchHere, fault: () => fault, isAnswered: () => isAnswered };
}

/** A key, an account or a model that the provider does not serve says nothing about the model; any other refusal does. */
function turnedDown({ status, body }: HttpReply): ModelError {
  // Whole: a secret that is cut in two is not found any more.
  const message = `the provider answered ${status}: ${body}`;
  const isAccount = [401, 402, 403, 404].includes(status) || /credit balance|API usage limits/i.test(body);
  return new ModelError(isAccount ? 'outage' : 'refused', message);
}

function sdkTool({ name, description, schema }: OfferedTool): NonNullable<SdkCall['tools']>[number] {
  return { type: 'function', name, description, inputSchema: schema };
}

function sdkMessage(message: Message, isLast: boolean): SdkCall['prompt'][number] {
  const cached = isLast ? { providerOptions: CACHED } : {};
  switch (message.from) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }], ...cached };
    case 'model':
      return { role: 'assistant', content: message.parts.map(sdkPart), ...cached };
    case 'tools':
      return {
        role: 'tool',
        content: message.results.map(({ id, tool, ok, text }) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: tool,
          output: { type: ok ? 'text' : 'error-text', value: text },
        })),
        ...cached,
      };
  }
}

function sdkPart(part: ReplyPart) {
  if (part.kind === 'text') return { type: 'text', text: part.text } as const;
  const { id, tool, args } = part.call;
  return { type: 'tool-call', toolCallId: id, toolName: tool, input: args } as const;
}

function replyOf({ content, finishReason, usage, response }: SdkReply): ModelReply {
  const { inputTokens, outputTokens } = usage;
  return {
    parts: content.flatMap(partOf),
    stopReason: finishReason.raw ?? finishReason.unified,
    ending: ENDINGS.get(finishReason.unified) ?? 'whole',
    modelId: response?.modelId ?? null,
    usage: {
      input: counted(inputTokens.noCache),
      cacheRead: counted(inputTokens.cacheRead),
      cacheWrite: counted(inputTokens.cacheWrite),
      output: counted(outputTokens.total),
    },
  };
}

/** Most tokens that one reply can have cost. */
const MAX_TOKENS = 1e9;

/** A count of tokens as the provider gives it. One below zero would buy further turns. */
function counted(tokens: number | undefined): number {
  if (tokens === undefined) return 0;
  if (Number.isInteger(tokens) && tokens >= 0 && tokens <= MAX_TOKENS) return tokens;
  throw new Error(`it counts ${tokens} tokens`);
}

const ENDINGS: ReadonlyMap<string, ModelReply['ending']> = new Map([
  ['length', 'cut_off'],
  ['content-filter', 'refusal'],
]);

/** The API takes no text back that is empty. */
function partOf(part: SdkReply['content'][number]): ReplyPart[] {
  if (part.type === 'text') return part.text.trim() === '' ? [] : [{ kind: 'text', text: part.text }];
  if (part.type !== 'tool-call') return [];
  return [{ kind: 'call', call: { id: part.toolCallId, tool: part.toolName, args: JSON.parse(part.input) } }];
}
