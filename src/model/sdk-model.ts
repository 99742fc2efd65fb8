import type { createAnthropic } from '@ai-sdk/anthropic';
import { z } from 'zod';
import {
  type Memo,
  type Model,
  type ModelReply,
  type OfferedTool,
  type ModelQuestion,
  type ReplyPart,
  type ProviderWire,
  ModelError,
} from './conversation.ts';
import { type Patience, askPatiently, type Transport, type HttpReply } from './patient.ts';
import { type PicturePlace, sdkMessages } from './sdk-messages.ts';
import { messageOf } from '../contract/message-of.ts';

/** The `fetch` for a provider's package. Its error, which the package would wrap, and the body of its reply can be read afterwards. */
interface ProviderLine {
  fetch: typeof fetch;
  fault(): unknown;
  body(): string | null;
}

function openLine(
  { transport, patience }: { transport: Transport; patience: Patience },
  wire: ProviderWire,
  signal: AbortSignal,
): ProviderLine {
  let fault: unknown = null;
  let answered: string | null = null;
  const send = async (url: string, init: RequestInit | undefined): Promise<Response> => {
    const body = typeof init?.body === 'string' ? init.body : '';
    wire.requested(body);
    const request = { url, headers: Object.fromEntries(new Headers(init?.headers)), body };
    const { reply, ms } = await askPatiently(transport, request, patience, signal, wire);
    answered = reply.body;
    wire.replied(reply.body, ms);
    if (reply.status >= 300) throw rejectionOf(reply);
    return new Response(reply.body, { status: reply.status, headers: { 'content-type': 'application/json' } });
  };
  const fetchHere: typeof fetch = async (input, init) => {
    try {
      // A package that called again by itself would spend uncounted money.
      if (answered !== null) throw new ModelError('malformed', 'the reply asks for another request');
      return await send(input instanceof Request ? input.url : String(input), init);
    } catch (error) {
      fault = error;
      throw error;
    }
  };
  return { fetch: fetchHere, fault: () => fault, body: () => answered };
}

// The only texts of providers that we match (APIs of November 2026): an account that is not served, if the status leaves that open.
const NO_ACCOUNT = /credit balance|API usage limits|API[_ ]key not valid|API_KEY_INVALID/i;

/** A rejected key, account or model id is not the model's failure; any other rejection is. */
function rejectionOf({ status, body }: HttpReply): ModelError {
  // Not shortened: half a secret would not be redacted.
  const message = `the provider answered ${status}: ${body}`;
  const isAccount = [401, 402, 403, 404].includes(status) || NO_ACCOUNT.test(body);
  return new ModelError(isAccount ? 'turned_away' : 'refused', message);
}

export interface ModelOptions {
  id: string;
  key: string | null;
  /** The base to which the paths of the API are appended. */
  url: string;
  temperature: number | null;
  maxOutputTokens: number;
  transport: Transport;
  patience: Patience;
}

/** The AI SDK's packages of providers share one interface. */
type SdkModel = ReturnType<ReturnType<typeof createAnthropic>>;
type SdkCall = Parameters<SdkModel['doGenerate']>[0];
type SdkReply = Awaited<ReturnType<SdkModel['doGenerate']>>;

export interface Dialect {
  connect: (options: ModelOptions, fetchHere: typeof fetch) => SdkModel;
  pictures: PicturePlace;
  /** Marks the prompt for the provider's cache; absent if it caches by itself. */
  cacheMark?: Memo;
  /** Extra request fields for a model that takes a temperature. */
  atTemperature?: Memo;
}

/** A model behind a provider's API: the provider's package of the AI SDK writes the request and reads the reply, without retries. */
export function sdkModel(options: ModelOptions, dialect: Dialect): Model {
  return {
    ask: async (question, wire, signal) => {
      const line = openLine(options, wire, signal);
      const call = callOf(question, options, dialect);
      try {
        const reply = await dialect.connect(options, line.fetch).doGenerate({ ...call, abortSignal: signal });
        return replyOf(reply, { body: line.body(), turn: question.messages.length });
      } catch (error) {
        if (line.fault() !== null || line.body() === null) throw line.fault() ?? error;
        throw new ModelError('malformed', `the reply is not of this API: ${messageOf(error)}`);
      }
    },
  };
}

function callOf({ system, messages, tools }: ModelQuestion, options: ModelOptions, dialect: Dialect): SdkCall {
  const { cacheMark: mark, atTemperature: extra, pictures } = dialect;
  const marked = mark === undefined ? {} : { providerOptions: mark };
  const asked = sdkMessages(messages, pictures);
  return {
    prompt: [
      { role: 'system', content: system, ...marked },
      ...asked.map((message, index) => ({ ...message, ...(index === asked.length - 1 ? marked : {}) })),
    ],
    ...(tools.length === 0 ? {} : { tools: tools.map(sdkTool) }),
    ...(options.temperature === null ? {} : { temperature: options.temperature }),
    ...(options.temperature === null || extra === undefined ? {} : { providerOptions: extra }),
    maxOutputTokens: options.maxOutputTokens,
  };
}

function sdkTool({ name, description, schema }: OfferedTool): NonNullable<SdkCall['tools']>[number] {
  return { type: 'function', name, description, inputSchema: schema };
}

interface RawReply {
  body: string | null;
  turn: number;
}

function replyOf({ content, finishReason, usage, response }: SdkReply, raw: RawReply): ModelReply {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens.total === undefined || outputTokens.total === undefined) throw new Error('it counts no tokens');
  return {
    parts: content.flatMap((part, index) => partOf(part, index, raw)),
    stopReason: finishReason.raw ?? finishReason.unified,
    ending: ENDINGS.get(finishReason.unified) ?? 'whole',
    modelId: response?.modelId ?? versionIn(raw.body),
    usage: {
      input: counted(inputTokens.noCache),
      cacheRead: counted(inputTokens.cacheRead),
      cacheWrite: counted(inputTokens.cacheWrite),
      output: counted(outputTokens.total),
    },
  };
}

const Versioned = z.looseObject({ modelVersion: z.string() });

/** Google's name of the model that answered, which its package leaves out. */
function versionIn(body: string | null): string | null {
  const parsed = Versioned.safeParse(JSON.parse(body ?? 'null'));
  return parsed.success ? parsed.data.modelVersion : null;
}

const MAX_TOKENS = 1e9;

/** A provider's count of tokens. A negative one would buy more turns. */
function counted(tokens: number | undefined): number {
  if (tokens === undefined) return 0;
  if (Number.isInteger(tokens) && tokens >= 0 && tokens <= MAX_TOKENS) return tokens;
  throw new Error(`it counts ${tokens} tokens`);
}

const ENDINGS: ReadonlyMap<string, ModelReply['ending']> = new Map([
  ['length', 'cut_off'],
  ['content-filter', 'refusal'],
]);

/** Leaves out empty texts, which the APIs do not take back. */
function partOf(part: SdkReply['content'][number], index: number, raw: RawReply): ReplyPart[] {
  const memo = part.providerMetadata === undefined ? {} : { memo: part.providerMetadata };
  if (part.type === 'text') return part.text.trim() === '' ? [] : [{ kind: 'text', text: part.text, ...memo }];
  if (part.type === 'reasoning') return [{ kind: 'thought', text: part.text, ...memo }];
  if (part.type !== 'tool-call') return [];
  const { toolCallId, toolName: tool, input } = part;
  // For a call without an id the SDK draws one, by which a replay would differ.
  const id = raw.body?.includes(JSON.stringify(toolCallId)) ? toolCallId : `call-${raw.turn}-${index}`;
  return [{ kind: 'call', call: { id, tool, args: argsIn(input) }, ...memo }];
}

/** Arguments that are not JSON stay text, so that the model learns of the error. */
function argsIn(input: string): unknown {
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
