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

/** The `fetch` that a provider's package is given, and what went wrong on it, which the package would wrap. */
interface ProviderLine {
  fetch: typeof fetch;
  fault(): unknown;
  /** The answer; null until it comes. */
  body(): string | null;
}

/** Sends one question to the provider over the one HTTP boundary, with retries, and reports each step. */
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
    if (reply.status >= 300) throw turnedDown(reply);
    return new Response(reply.body, { status: reply.status, headers: { 'content-type': 'application/json' } });
  };
  const fetchHere: typeof fetch = async (input, init) => {
    try {
      // One question is one call: a package that retried by itself would spend uncounted money.
      if (answered !== null) throw new ModelError('malformed', 'the reply asks for another request');
      return await send(input instanceof Request ? input.url : String(input), init);
    } catch (error) {
      fault = error;
      throw error;
    }
  };
  return { fetch: fetchHere, fault: () => fault, body: () => answered };
}

/** Texts of providers that do not serve an account, for answers whose status leaves that open. */
const NO_ACCOUNT = /credit balance|API usage limits|API[_ ]key not valid|API_KEY_INVALID/i;

/** A refused key, account or model id is not the model's failure; any other refusal is. */
function turnedDown({ status, body }: HttpReply): ModelError {
  // Whole: a secret that is cut in two is not found any more.
  const message = `the provider answered ${status}: ${body}`;
  const isAccount = [401, 402, 403, 404].includes(status) || NO_ACCOUNT.test(body);
  return new ModelError(isAccount ? 'turned_away' : 'refused', message);
}

/** Settings for asking a model of any provider. */
export interface ModelOptions {
  id: string;
  /** Null of an endpoint that wants none. */
  key: string | null;
  /** The base to which the paths of the API are appended. */
  url: string;
  /** Null: it takes none, and none is sent. */
  temperature: number | null;
  /** Most tokens of one reply. */
  maxOutputTokens: number;
  transport: Transport;
  patience: Patience;
}

/** A model as the AI SDK's packages of providers have it; they share one interface. */
type SdkModel = ReturnType<ReturnType<typeof createAnthropic>>;
type SdkCall = Parameters<SdkModel['doGenerate']>[0];
type SdkReply = Awaited<ReturnType<SdkModel['doGenerate']>>;

/** The part of a provider's package that is used: one call's request is written, and its reply read. */
export interface Dialect {
  /** The SDK's model, which sends what it writes by this `fetch`. */
  connect: (options: ModelOptions, fetchHere: typeof fetch) => SdkModel;
  pictures: PicturePlace;
  /** The mark for the provider's cache on the prompt so far; absent where it caches by itself. */
  cacheMark?: Memo;
  /** Extra request fields for a model that takes a temperature. */
  atTemperature?: Memo;
}

/**
 * A model behind a provider's API. The provider's package of the AI SDK writes the request and reads the reply; the SDK's
 * loop and its retries, which are in another package, are not used. Replies are not streamed.
 */
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
        throw new ModelError('malformed', `the reply is none of this API: ${messageOf(error)}`);
      }
    },
  };
}

function callOf({ system, messages, tools }: ModelQuestion, options: ModelOptions, dialect: Dialect): SdkCall {
  const { cacheMark: mark, atTemperature: further, pictures } = dialect;
  const marked = mark === undefined ? {} : { providerOptions: mark };
  const asked = sdkMessages(messages, pictures);
  return {
    prompt: [
      { role: 'system', content: system, ...marked },
      ...asked.map((message, index) => ({ ...message, ...(index === asked.length - 1 ? marked : {}) })),
    ],
    ...(tools.length === 0 ? {} : { tools: tools.map(sdkTool) }),
    ...(options.temperature === null ? {} : { temperature: options.temperature }),
    ...(options.temperature === null || further === undefined ? {} : { providerOptions: further }),
    maxOutputTokens: options.maxOutputTokens,
  };
}

function sdkTool({ name, description, schema }: OfferedTool): NonNullable<SdkCall['tools']>[number] {
  return { type: 'function', name, description, inputSchema: schema };
}

/** The raw reply and the length of the conversation before it. */
interface Came {
  body: string | null;
  turn: number;
}

function replyOf({ content, finishReason, usage, response }: SdkReply, came: Came): ModelReply {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens.total === undefined || outputTokens.total === undefined) throw new Error('it counts no tokens');
  return {
    parts: content.flatMap((part, index) => partOf(part, index, came)),
    stopReason: finishReason.raw ?? finishReason.unified,
    ending: ENDINGS.get(finishReason.unified) ?? 'whole',
    modelId: response?.modelId ?? versionIn(came.body),
    usage: {
      input: counted(inputTokens.noCache),
      cacheRead: counted(inputTokens.cacheRead),
      cacheWrite: counted(inputTokens.cacheWrite),
      // Tokens of reasoning are among them, and nowhere else.
      output: counted(outputTokens.total),
    },
  };
}

const Versioned = z.looseObject({ modelVersion: z.string() });

/** Google's word for the model that has answered, which its package leaves out. */
function versionIn(body: string | null): string | null {
  const parsed = Versioned.safeParse(JSON.parse(body ?? 'null'));
  return parsed.success ? parsed.data.modelVersion : null;
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

/** The APIs take no text back that is empty. */
function partOf(part: SdkReply['content'][number], index: number, came: Came): ReplyPart[] {
  const memo = part.providerMetadata === undefined ? {} : { memo: part.providerMetadata };
  if (part.type === 'text') return part.text.trim() === '' ? [] : [{ kind: 'text', text: part.text, ...memo }];
  if (part.type === 'reasoning') return [{ kind: 'thought', text: part.text, ...memo }];
  if (part.type !== 'tool-call') return [];
  const { toolCallId, toolName: tool, input } = part;
  // Where a provider gives a call no id, the SDK draws one, and a replay would differ by it.
  const id = came.body?.includes(JSON.stringify(toolCallId)) ? toolCallId : `call-${came.turn}-${index}`;
  return [{ kind: 'call', call: { id, tool, args: argsIn(input) }, ...memo }];
}

/** Arguments that are no JSON stay the text that they are: what is wrong with them is for the model to hear. */
function argsIn(input: string): unknown {
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
