import { ModelDrift, ModelError } from './conversation.ts';
import type { Pace } from './pace.ts';

interface HttpRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface HttpReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The HTTP boundary, which can be recorded or replayed. Rejects if the reply is incomplete. */
export type Transport = (request: HttpRequest, signal: AbortSignal) => Promise<HttpReply>;

export const MAX_REPLY_LENGTH = 8 * 1024 * 1024;

export const overNetwork: Transport = async ({ url, headers, body }, signal) => {
  // A redirect could send the key to another host.
  const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
  const text = await readText(response);
  return { status: response.status, headers: Object.fromEntries(response.headers), body: text };
};

async function readText({ body }: Response): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_REPLY_LENGTH) throw new Error(`the reply has more than ${MAX_REPLY_LENGTH} characters`);
  }
  return text + decoder.decode();
}

/** Time limit of one call, in ms, and most repetitions after a failure of the provider. */
export const MODEL_TIMEOUT_MS = 90_000;
export const MAX_RETRIES = 2;

export interface Retry {
  why: string;
  waitMs: number;
}

export interface Patience {
  callTimeoutMs: number;
  maxRetries: number;
  pace: Pace;
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Longest wait that a provider may ask for, and the first wait if it asks for none, which is doubled each time; in ms. */
const MAX_WAIT_MS = 30_000;
const FIRST_WAIT_MS = 1_000;

/**
 * Calls again after a failure of the provider: 408, 429, 5xx, no connection, an incomplete reply, no reply in time.
 * @throws ModelError `outage` if the last call failed too; ModelDrift; the signal's reason
 */
export async function askPatiently(
  transport: Transport,
  request: HttpRequest,
  { callTimeoutMs, maxRetries, pace, pause }: Patience,
  signal: AbortSignal,
  wire: { held: (why: string) => void; retried: (retry: Retry) => void },
): Promise<{ reply: HttpReply; ms: number }> {
  const ticket = pace.ticket();
  for (let retries = 0; ; retries += 1) {
    await ticket.enter({ pause, signal, onHeld: (why) => wire.held(why) });
    const begun = performance.now();
    let outcome: Outcome | null = null;
    try {
      outcome = await callOnce(transport, request, callTimeoutMs, signal);
    } finally {
      ticket.leave(outcome);
    }
    if ('reply' in outcome) return { reply: outcome.reply, ms: performance.now() - begun };
    if (retries === maxRetries) {
      throw new ModelError('outage', `${outcome.failure}, after ${maxRetries} retries`);
    }
    const waitMs = outcome.waitMs ?? FIRST_WAIT_MS * 2 ** retries;
    wire.retried({ why: outcome.failure, waitMs });
    await pause(waitMs, signal);
  }
}

type Outcome = { reply: HttpReply } | { failure: string; status: number | null; waitMs: number | null };

async function callOnce(
  transport: Transport,
  request: HttpRequest,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Outcome> {
  const timeUp = AbortSignal.timeout(timeoutMs);
  try {
    const reply = await transport(request, AbortSignal.any([signal, timeUp]));
    if (!isFailure(reply.status)) return { reply };
    return { failure: `the provider answered ${reply.status}`, status: reply.status, waitMs: askedToWait(reply) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ModelDrift || error instanceof ModelError) throw error;
    if (timeUp.aborted)
      return { failure: `the provider did not answer within ${timeoutMs} ms`, status: null, waitMs: null };
    return { failure: `no whole reply came from the provider (${causeOf(error)})`, status: null, waitMs: null };
  }
}

export function isFailure(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

function askedToWait({ headers }: HttpReply): number | null {
  const after = headers['retry-after'];
  if (after === undefined) return null;
  const ms = /^\d+(\.\d+)?$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), MAX_WAIT_MS);
}

/** `fetch failed` carries its reason as the cause. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
