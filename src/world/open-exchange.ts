import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenExchange } from '../fault/ports.ts';
import { headersToSend, type Reply, send, type ServerRequest } from './send.ts';

export interface WaitingRequest {
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
  // Nothing says when an empty write is done. A redirect has no body: all of it comes later, or never.
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
  // Inside TLS there is no reset of one's own: there it ends.
  const { socket } = reply;
  if (socket !== null && !('encrypted' in socket)) socket.resetAndDestroy();
  else reply.destroy();
}
