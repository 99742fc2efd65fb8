import type { CassetteHeader } from '../../src/model/cassette.ts';
import type { Model, ModelReply, ModelQuestion } from '../../src/model/conversation.ts';
import { PROVIDERS, type ProviderName } from '../../src/model/providers.ts';
import { Pace } from '../../src/model/pace.ts';
import { type Retry, overNetwork, type Transport } from '../../src/model/patient.ts';

export const QUESTION: ModelQuestion = {
  system: 'You operate a browser.',
  messages: [{ from: 'user', text: 'Open the page.' }],
  tools: [{ name: 'open', description: 'Opens a page.', schema: { type: 'object', properties: {} } }],
};

export const CASSETTE_HEADER: CassetteHeader = {
  kind: 'header',
  schema_version: 1,
  suite: 'basics',
  task: 'example-h1',
  surface: 'aria',
  agent: 'claude-sonnet-4-6',
  iteration: 0,
  model_id: 'claude-sonnet-4-6',
  model_endpoint: 'api.anthropic.com',
  date: '2026-11-22',
};

/** The result of asking once, and the reports on the way. */
export interface Asking {
  reply: ModelReply | null;
  error: unknown;
  retries: Retry[];
  bodies: string[];
}

/** A model at this address, which gives up a call after `callTimeoutMs`. */
export function modelAt(url: string, { callTimeoutMs = 20_000, transport = overNetwork } = {}): Model {
  return providerAt('anthropic', `${url}/v1`, { id: 'claude-sonnet-4-6', callTimeoutMs, transport });
}

interface Asker {
  id?: string;
  key?: string | null;
  callTimeoutMs?: number;
  maxOutputTokens?: number;
  /** 0 without it; null: none is sent. */
  temperature?: number | null;
  transport?: Transport;
}

/** A model of any provider at the address that its paths are appended to. */
export function providerAt(
  provider: ProviderName,
  url: string,
  {
    id = 'm',
    key = 'sk-test-key',
    callTimeoutMs = 20_000,
    maxOutputTokens = 2048,
    temperature = 0,
    transport = overNetwork,
  }: Asker = {},
): Model {
  const patience = { callTimeoutMs, maxRetries: 2, pace: new Pace(), pause: () => Promise.resolve() };
  return PROVIDERS[provider].model({ id, key, url, temperature, maxOutputTokens, transport, patience });
}

/** Asks a model once. */
export async function ask(
  model: Model,
  question: ModelQuestion = QUESTION,
  signal: AbortSignal = new AbortController().signal,
): Promise<Asking> {
  const asking: Asking = { reply: null, error: null, retries: [], bodies: [] };
  const wire = {
    requested: () => {},
    held: () => {},
    retried: (retry: Retry) => asking.retries.push(retry),
    replied: (body: string) => asking.bodies.push(body),
  };
  try {
    asking.reply = await model.ask(question, wire, signal);
  } catch (error) {
    asking.error = error;
  }
  return asking;
}
