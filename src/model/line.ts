import type { ProviderWire } from './conversation.ts';
import { ModelError } from './error.ts';
import { askPatiently, type Patience } from './patient.ts';
import type { HttpReply, Transport } from './transport.ts';

/** The `fetch` that a provider's package is given, and what went wrong on it, which the package would wrap. */
export interface ProviderLine {
  fetch: typeof fetch;
  fault(): unknown;
  /** The answer; null until it comes. */
  body(): string | null;
}

/** Sends one question to the provider over the one HTTP boundary, with retries, and reports each step. */
export function openLine(
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

/** Wordings by which providers say that they do not serve an account, where the status does not say it. */
const NO_ACCOUNT = /credit balance|API usage limits|API[_ ]key not valid|API_KEY_INVALID/i;

/** A refused key, account or model id is not the model's failure; any other refusal is. */
function turnedDown({ status, body }: HttpReply): ModelError {
  // Whole: a secret that is cut in two is not found any more.
  const message = `the provider answered ${status}: ${body}`;
  const isAccount = [401, 402, 403, 404].includes(status) || NO_ACCOUNT.test(body);
  return new ModelError(isAccount ? 'turned_away' : 'refused', message);
}
