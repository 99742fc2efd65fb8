import { anthropicModel } from '../../src/model/anthropic.ts';
import type { Model, ModelReply, Question } from '../../src/model/conversation.ts';
import type { Retry } from '../../src/model/patient.ts';
import { overNetwork } from '../../src/model/transport.ts';

export const QUESTION: Question = {
  system: 'You operate a browser.',
  messages: [{ from: 'user', text: 'Open the page.' }],
  tools: [{ name: 'open', description: 'Opens a page.', schema: { type: 'object', properties: {} } }],
};

/** What asking once brought, and what was told of it on the way. Nothing is waited for. */
export interface Asking {
  reply: ModelReply | null;
  error: unknown;
  retries: Retry[];
  bodies: string[];
}

/** A model at this address, which gives up a call after `callTimeoutMs`. */
export function modelAt(url: string, { callTimeoutMs = 20_000, transport = overNetwork } = {}): Model {
  const patience = { callTimeoutMs, maxRetries: 2, pause: () => Promise.resolve() };
  const id = 'claude-sonnet-4-6';
  return anthropicModel({
    id,
    key: 'sk-test-key',
    url: `${url}/v1`,
    temperature: 0,
    maxOutputTokens: 4096,
    transport,
    patience,
  });
}

/** Asks a model once. */
export async function ask(
  model: Model,
  question: Question = QUESTION,
  signal: AbortSignal = new AbortController().signal,
): Promise<Asking> {
  const told: Asking = { reply: null, error: null, retries: [], bodies: [] };
  const wire = {
    requested: () => {},
    retried: (retry: Retry) => told.retries.push(retry),
    replied: (body: string) => told.bodies.push(body),
  };
  try {
    told.reply = await model.ask(question, wire, signal);
  } catch (error) {
    told.error = error;
  }
  return told;
}
