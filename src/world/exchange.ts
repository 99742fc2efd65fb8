import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenExchange } from '../fault/ports.ts';

export type ServerRequest = IncomingMessage | Http2ServerRequest;
export type Reply = ServerResponse | Http2ServerResponse;

/** Headers of one connection; they do not exist in HTTP/2. */
export const HOP_HEADERS = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

export async function send(response: Response, request: ServerRequest, reply: Reply): Promise<void> {
  reply.writeHead(response.status, headersToSend(response));
  if (response.body === null || request.method === 'HEAD') {
    reply.end();
    return;
  }
  await pipeline(Readable.fromWeb(response.body), reply);
}

function headersToSend(response: Response): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of response.headers) if (!HOP_HEADERS.has(name)) headers[name] = value;
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  return headers;
}

interface WaitingRequest {
  /** Has the app answer. */
  ask: () => Promise<Response>;
  /** Notes a status that the app has not given. */
  finish: (status: number) => void;
  request: ServerRequest;
  reply: Reply;
}

/** HTTP/2's code for a stream that ends by an error of the server. */
const INTERNAL_ERROR = 2;

/** Give a fault all that it may do to a request that waits for its reply. */
export function openExchange({ ask, finish, request, reply }: WaitingRequest): OpenExchange {
  return {
    ask,
    send: (response) => send(response, request, reply),
    sendInstead: async (response) => {
      finish(response.status);
      await send(response, request, reply);
    },
    sendHalf: (response) => sendHalf(response, reply),
    pause: (ms, signal) => pause(ms, signal, reply),
    hangUp: () => {
      if ('stream' in reply) reply.stream.destroy();
      else reply.destroy();
    },
    reset: () => {
      reset(reply);
    },
  };
}

async function sendHalf(response: Response, reply: Reply): Promise<() => void> {
  const body = Buffer.from(await response.arrayBuffer());
  reply.writeHead(response.status, { ...headersToSend(response), 'content-length': body.length });
  const half = Math.floor(body.length / 2);
  // No event marks the end of an empty write. A redirect has no body: all of it comes later, or never.
  if (half > 0)
    await new Promise<void>((resolve) => {
      const written = (): void => {
        resolve();
      };
      reply.once('close', written);
      if ('stream' in reply) reply.write(body.subarray(0, half), written);
      else reply.write(body.subarray(0, half), written);
    });
  return () => void reply.end(body.subarray(half));
}

async function pause(ms: number, signal: AbortSignal, reply: Reply): Promise<void> {
  const gone = new AbortController();
  const leave = (): void => {
    gone.abort();
  };
  reply.once('close', leave);
  await sleep(ms, undefined, { signal: AbortSignal.any([signal, gone.signal]) }).catch(() => {});
  reply.off('close', leave);
}

function reset(reply: Reply): void {
  if ('stream' in reply) {
    reply.stream.close(INTERNAL_ERROR);
    return;
  }
  // TLS has no reset of its own: the connection ends.
  const { socket } = reply;
  if (socket !== null && !('encrypted' in socket)) socket.resetAndDestroy();
  else reply.destroy();
}
