import { type ExchangeLog, Nac3Files } from './exchange-log.ts';
import { messageOf } from '../contract/message-of.ts';
import type { Budget } from '../process/budget.ts';
import type { Interception } from '../fault/ports.ts';
import { HOP_HEADERS, type Reply, send, type ServerRequest, openExchange } from './exchange.ts';
import type { RefusedOnce, Traffic } from './traffic.ts';
import { isSecretHeader } from './outside-app/judge-secret.ts';

/** Thrown by a handler when a request turns out to be for an address outside the world. */
export class OutsideError extends Error {
  constructor(host: string) {
    super(`${host} is outside the world of this task`);
    this.name = 'OutsideError';
  }
}

export type OriginHandler = (request: Request) => Response | Promise<Response>;

export interface AnswerOptions {
  /** The handler of an origin such as `https://example.com`, or null when it is outside the world. */
  handlerOf: (origin: string) => OriginHandler | null;
  log: ExchangeLog;
  /** Pages get it for the NAC3 manifest of their app. */
  manifest?: Uint8Array | undefined;
  interception: Interception;
  /** Spent by the requests of one world, so that a page that asks without end keeps no other world waiting. */
  budget: Budget;
  /** Bodies of requests that are not answered yet, by any connection of the world. */
  held: { bytes: number };
  traffic: Pick<Traffic, 'begin' | 'isCut'>;
  /** Called for every request for an address outside the world. */
  refuse: (refusal: RefusedOnce) => void;
}

/** Largest request body that a world takes, in bytes. */
const MAX_REQUEST_BYTES = 10 * 1024 * 1024;
/** Most bytes of bodies that one world holds at a time: no heap limit of a thread counts them. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;
/** Budget of bytes that one world may be asked: some 2 000 requests at once and 500 a second, more than any application loads; or 8 MB of bodies and 2 MB a second. */
export const REQUEST_BUDGET = { perSecond: 8 * 1024 * 1024, burst: 32 * 1024 * 1024 };
const REQUEST_COST = 16 * 1024;
/** Most requests of one world that wait for the budget. A browser has 32 connections to a proxy, of 100 streams at most. */
const MAX_WAITING = 4_096;
/** Cost of each byte of a body: to take a form apart keeps an app in this process busy for longer than it takes to send it. */
export const BODY_COST = 4;
/** Headers that repeat a request's address and body. */
const SET_OTHERWISE = new Set(['host', 'content-length']);

/** Has the origin that a request is for answer it, and logs the exchange. Rejects when the browser goes away meanwhile. */
export async function answerRequest(
  request: ServerRequest,
  reply: Reply,
  scheme: 'http' | 'https',
  options: AnswerOptions,
): Promise<void> {
  const followed = options.traffic.begin(request.method ?? 'GET');
  const own = { bytes: 0 };
  try {
    await answerOpen(request, reply, scheme, { ...options, followed, own });
  } finally {
    options.held.bytes -= own.bytes;
    followed.ends();
  }
}

async function answerOpen(
  request: ServerRequest,
  reply: Reply,
  scheme: 'http' | 'https',
  options: AnswerOptions & { followed: ReturnType<Traffic['begin']>; own: { bytes: number } },
): Promise<void> {
  const { handlerOf, log, interception, budget, refuse, traffic, followed } = options;
  await roomFor(budget, () => {
    endConnection(request);
  });
  const url = addressOf(request, scheme);
  if (url === null) {
    await send(new Response('not an address', { status: 400 }), request, reply);
    return;
  }
  const { origin } = new URL(url);
  const outside = (): Response => {
    refuse({
      address: url,
      as: request.headers.accept === 'text/event-stream' ? 'event_stream' : 'request',
      why: 'outside_world',
    });
    return new Response('outside the world of this task', { status: 502 });
  };
  const handler = handlerOf(origin);
  if (handler === null) {
    await send(outside(), request, reply);
    return;
  }
  const { body, isWhole } = await readBody(request, options);
  refuseIfCut(traffic);
  const method = request.method ?? 'GET';
  const deal = interception.by?.({ seq: log.next, method, url }) ?? null;
  const { seq, finish } = log.begin(method, url, body, request.headers);
  const ask = async (): Promise<Response> => {
    refuseIfCut(traffic);
    followed.reachesApp();
    const response = isWhole
      ? await respond(
          handler,
          () => new Request(url, { method, headers: headersOf(request), ...bodyOf(method, body) }),
          outside,
        )
      : new Response('request body too large', { status: 413 });
    finish(response.status);
    followed.ends();
    return log.keep(seq, await noted(response, method, url, options));
  };
  if (deal === null) await send(await ask(), request, reply);
  else await deal(openExchange({ ask, finish, request, reply }));
}

/** Waits until the budget has room for a request. @throws Error when too many wait, so that the connection ends. */
export async function roomFor(budget: Budget, end: () => void): Promise<void> {
  if (budget.waiting < MAX_WAITING) {
    await budget.room(REQUEST_COST);
    return;
  }
  end();
  throw new Error('too many requests wait');
}

function endConnection(request: ServerRequest): void {
  if ('stream' in request) request.stream.session?.destroy();
  else request.socket.destroy();
}

/** @throws Error when the way is cut, so that the app never gets an earlier request. */
function refuseIfCut({ isCut }: Pick<Traffic, 'isCut'>): void {
  if (isCut) throw new Error('the way into the world is cut');
}

/** The response, once its parts of NAC3 are known, with the entrant's manifest instead of the app's. */
async function noted(
  response: Response,
  method: string,
  url: string,
  { log, manifest }: Pick<AnswerOptions, 'log' | 'manifest'>,
): Promise<Response> {
  if (!Nac3Files.holds(method, url, response.status)) return response;
  const instead = Nac3Files.isManifest(url) ? manifest : undefined;
  const bytes = new Uint8Array(instead ?? (await response.arrayBuffer()));
  log.nac3.note(url, bytes);
  const headers = instead === undefined ? response.headers : { 'content-type': 'application/json' };
  return new Response(bytes, { status: response.status, headers });
}

/** The handler's response, or one with its error. */
async function respond(handler: OriginHandler, request: () => Request, outside: () => Response): Promise<Response> {
  try {
    const response = await handler(request());
    if (response.status !== 0) return response;
    throw new Error('it answered with a network error');
  } catch (error) {
    if (error instanceof OutsideError) return outside();
    return new Response(`the app failed: ${messageOf(error)}`, { status: 500 });
  }
}

/** The absolute address of a request, whether it arrived at the proxy or through a tunnel; null when it has none. */
function addressOf(request: ServerRequest, scheme: string): string | null {
  const path = request.url ?? '/';
  const host = request.headers[':authority'] ?? request.headers.host;
  const address = path.startsWith('/') ? `${scheme}://${String(host)}${path}` : path;
  return URL.canParse(address) && /^https?:/.test(address) ? new URL(address).href : null;
}

function headersOf(request: ServerRequest): [string, string][] {
  return Object.entries(request.headers).flatMap(([name, value]) => {
    if (name.startsWith(':') || HOP_HEADERS.has(name) || SET_OTHERWISE.has(name) || value === undefined) return [];
    if (isSecretHeader(name)) return [];
    return [value].flat().map((each): [string, string] => [name, each]);
  });
}

function bodyOf(method: string, body: Buffer<ArrayBuffer>): { body?: Buffer<ArrayBuffer> } {
  return method === 'GET' || method === 'HEAD' ? {} : { body };
}

/** Reads a request's body. Of one that is too long, or when too much is held, the beginning is kept, and the rest read and dropped. */
async function readBody(
  request: ServerRequest,
  { budget, held, own }: Pick<AnswerOptions, 'budget' | 'held'> & { own: { bytes: number } },
): Promise<{ body: Buffer<ArrayBuffer>; isWhole: boolean }> {
  const chunks: Buffer[] = [];
  let isWhole = true;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    budget.spend(bytes.length * BODY_COST);
    await budget.room();
    isWhole &&= own.bytes + bytes.length <= MAX_REQUEST_BYTES && held.bytes + bytes.length <= MAX_HELD_BYTES;
    if (!isWhole) continue;
    chunks.push(bytes);
    own.bytes += bytes.length;
    held.bytes += bytes.length;
  }
  return { body: Buffer.concat(chunks), isWhole };
}
