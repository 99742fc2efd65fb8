import { z } from 'zod';
import { rule } from '../../contract/validation/wording.ts';
import { compilePattern } from '../../contract/pattern.ts';
import { type FaultKind, FaultCount, Drawn, id, Milliseconds, UrlPattern, type FaultOutcome } from '../fault-kind.ts';
import type { OpenExchange, NamedExchange } from '../ports.ts';

const FIELDS = {
  /** Absent: all requests. */
  url: UrlPattern.optional(),
  method: z
    .string()
    .regex(/^[A-Z]+$/, rule('not_http_method'))
    .optional(),
  /** The first to be hit, counted from the start of the agent. */
  nth: Drawn.default(1),
  /** Number of requests in a row. */
  times: FaultCount.default(1),
  /** Also hits later requests within this time. */
  lasts_ms: Milliseconds.optional(),
  /** Time without a byte in `stall` and `slow_first_byte`, in ms. */
  ms: Milliseconds.default(2_000),
  /** For `too_many_requests`: `retry-after`. */
  retry_after_s: z.int().min(0).max(60).default(1),
  /** For `server_error`. */
  status: z.int().min(500).max(599).default(503),
};
const Written = z.strictObject({ id, ...FIELDS });
const Armed = Written.extend({ nth: FaultCount });
type Written = z.infer<typeof Written>;
type ArmedNetworkFault = z.infer<typeof Armed>;

/** Handles one exchange. When the signal fires, the rest is sent at once. */
type Deal = (exchange: OpenExchange, fault: ArmedNetworkFault, signal: AbortSignal) => Promise<void>;

/** A kind that strikes the nth request for an address. */
function networkKind<const K extends string>(kind: K, about: string, deal: Deal) {
  const own = { kind: z.literal(kind) };
  return {
    kind,
    where: 'network',
    about,
    schema: Written.extend(own),
    armed: Armed.extend(own),
    whyNot: () => null,
    draw: ({ nth }, by) => ({ nth: by.number(nth, 'nth') }),
    inject: (fault, outcome, { network }) => {
      const aim = new NetworkInjection(fault, outcome, deal);
      network.interception.by = (named) => aim.dealFor(named);
      return {
        end: () => {
          network.interception.by = null;
          aim.end();
          outcome.clear('harness');
          return Promise.resolve();
        },
      };
    },
  } as const satisfies FaultKind<Written & { kind: K }, ArmedNetworkFault & { kind: K }>;
}

class NetworkInjection {
  readonly #fault: ArmedNetworkFault;
  readonly #outcome: FaultOutcome;
  readonly #deal: Deal;
  readonly #isAimedAt: (url: string) => boolean;
  readonly #waits = new AbortController();
  #seen = 0;
  /** Runs from the first exchange of a fault that lasts. */
  #timer: NodeJS.Timeout | null = null;
  #isOver = false;

  constructor(fault: ArmedNetworkFault, outcome: FaultOutcome, deal: Deal) {
    this.#fault = fault;
    this.#outcome = outcome;
    this.#deal = deal;
    this.#isAimedAt = fault.url === undefined ? () => true : compilePattern(fault.url);
  }

  dealFor(exchange: NamedExchange): ((exchange: OpenExchange) => Promise<void>) | null {
    const { method, nth, times, lasts_ms: lasts } = this.#fault;
    if (this.#isOver || !this.#isAimedAt(exchange.url)) return null;
    if (method !== undefined && method !== exchange.method) return null;
    this.#seen += 1;
    const inRow = this.#seen - nth;
    if (inRow < 0 || (inRow >= times && this.#timer === null)) return null;
    this.#outcome.fire({ exchange });
    if (lasts !== undefined) this.#timer ??= setTimeout(() => this.#over(), lasts).unref();
    const isLast = lasts === undefined && inRow === times - 1;
    return async (open) => {
      try {
        await this.#deal(open, this.#fault, this.#waits.signal);
      } finally {
        if (isLast) this.#over();
      }
    };
  }

  /** Releases everything that waits. */
  end(): void {
    this.#isOver = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#waits.abort();
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#outcome.clear('time');
  }
}

export const NETWORK_KINDS = [
  networkKind('drop', 'the request is lost before it reaches the app', (exchange) => {
    exchange.hangUp();
    return Promise.resolve();
  }),
  networkKind('reset', 'the app handles the request, but its answer is lost', async (exchange) => {
    await exchange.ask();
    exchange.reset();
  }),
  networkKind('stall', 'half of the body, then nothing for `ms`, then the rest', async (exchange, { ms }, signal) => {
    const sendRest = await exchange.sendHalf(await exchange.ask());
    await exchange.pause(ms, signal);
    sendRest();
  }),
  networkKind('slow_first_byte', 'nothing for `ms`, then the answer', async (exchange, { ms }, signal) => {
    const response = await exchange.ask();
    await exchange.pause(ms, signal);
    await exchange.send(response);
  }),
  networkKind('truncated_body', 'half of the body, then the connection ends', async (exchange) => {
    await exchange.sendHalf(await exchange.ask());
    // The bytes written so far have to arrive before the end.
    await new Promise((resolve) => setImmediate(resolve));
    exchange.hangUp();
  }),
  networkKind(
    'too_many_requests',
    'status 429, with `retry_after_s`; the request does not reach the app',
    async (exchange, { retry_after_s: seconds }) => {
      const headers = { 'retry-after': String(seconds), 'content-type': 'text/plain' };
      await exchange.sendInstead(new Response('too many requests', { status: 429, headers }));
    },
  ),
  networkKind('server_error', 'a 5xx `status`; the request does not reach the app', async (exchange, { status }) => {
    const headers = { 'content-type': 'text/plain' };
    await exchange.sendInstead(new Response('the server is in trouble', { status, headers }));
  }),
] as const;
