import { ModelDrift, ModelError } from './conversation.ts';
import type { Pace } from './pace.ts';

/** One request to a provider, as it leaves this process. */
interface HttpRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Its reply, read to the end. */
export interface HttpReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * The provider's HTTP boundary: everything that is asked of a model passes here, and can be recorded or replayed.
 * Rejects if the reply is incomplete.
 */
export type Transport = (request: HttpRequest, signal: AbortSignal) => Promise<HttpReply>;

/** Longest reply that is read, in characters: 4096 tokens are far less. */
export const MAX_REPLY_LENGTH = 8 * 1024 * 1024;

export const overNetwork: Transport = async ({ url, headers, body }, signal) => {
  // A redirect could lead the key elsewhere.
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

/** Time that one call may take, in ms, and number of repetitions after a failure that is not the model's. */
export const MODEL_TIMEOUT_MS = 90_000;
export const MAX_RETRIES = 2;

/** A call that failed and was made again. */
export interface Retry {
  why: string;
  /** Time waited before the next, in ms. */
  waitMs: number;
}

export interface Patience {
  callTimeoutMs: number;
  maxRetries: number;
  /** The pace of all calls of the provider. */
  pace: Pace;
  /** Waits; rejects when the signal fires. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Longest wait that a provider may ask for, in ms; and the wait if it asks for none, doubled each time. */
const MAX_WAIT_MS = 30_000;
const FIRST_WAIT_MS = 1_000;

/**
 * Calls again after what is the provider's failure: 408, 429, 5xx, no connection, no whole reply, no reply in time.
 * Anything else is an answer for the caller. A recorded request that drifts is not a failure.
 * @throws ModelError `outage` if the last call failed too; the signal's reason if it is aborted.
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

/** Whether a status is a temporary failure of the provider. */
export function isFailure(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** Parse `retry-after`, in ms: seconds, or a date. */
function askedToWait({ headers }: HttpReply): number | null {
  const said = headers['retry-after'];
  if (said === undefined) return null;
  const ms = /^\d+(\.\d+)?$/.test(said) ? Number(said) * 1000 : Date.parse(said) - Date.now();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), MAX_WAIT_MS);
}

/** `fetch failed` carries its reason as the cause. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
