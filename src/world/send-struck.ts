import { setTimeout as sleep } from 'node:timers/promises';
import type { NetworkBlow } from './network-faults.ts';
import { headersToSend, type Reply, send, type ServerRequest } from './send.ts';

export interface StruckRequest {
  /** Has the app answer. */
  ask: () => Promise<Response>;
  /** Notes a status that the app has not given. */
  finish: (status: number) => void;
  request: ServerRequest;
  reply: Reply;
}

/** HTTP/2's code for a stream that ends by an error of the server. */
const INTERNAL_ERROR = 2;

/** Deals with a request as the fault has it that befalls it. */
export async function sendStruck(blow: NetworkBlow, struck: StruckRequest): Promise<void> {
  try {
    await deal(blow, struck);
  } finally {
    blow.done();
  }
}

async function deal({ fault, signal }: NetworkBlow, { ask, finish, request, reply }: StruckRequest): Promise<void> {
  const instead = async (response: Response): Promise<void> => {
    finish(response.status);
    await send(response, request, reply);
  };
  switch (fault.kind) {
    case 'drop':
      hangUp(reply);
      return;
    case 'reset':
      await ask();
      reset(reply);
      return;
    case 'slow_first_byte': {
      const response = await ask();
      await pause(fault.ms, signal, reply);
      await send(response, request, reply);
      return;
    }
    case 'stall':
      await sendHalves(await ask(), reply, async (rest) => {
        await pause(fault.ms, signal, reply);
        reply.end(rest);
      });
      return;
    case 'truncated_body':
      await sendHalves(await ask(), reply, async () => {
        // What has been written gets there before the end does.
        await new Promise((resolve) => setImmediate(resolve));
        hangUp(reply);
      });
      return;
    case 'too_many_requests':
      await instead(
        new Response('too many requests', {
          status: 429,
          headers: { 'retry-after': String(fault.retry_after_s), 'content-type': 'text/plain' },
        }),
      );
      return;
    case 'server_error':
      await instead(
        new Response('the server is in trouble', { status: fault.status, headers: { 'content-type': 'text/plain' } }),
      );
  }
}

/** Sends the first half of the body, under headers that promise all of it; what is left is for `rest` to deal with. */
async function sendHalves(response: Response, reply: Reply, rest: (body: Buffer) => Promise<void>): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  reply.writeHead(response.status, { ...headersToSend(response), 'content-length': body.length });
  const half = Math.floor(body.length / 2);
  // Of an empty write nobody is told that it is done. A redirect has no body: all of it comes later, or never.
  if (half > 0)
    await new Promise<void>((resolve) => {
      const written = (): void => {
        resolve();
      };
      reply.once('close', written);
      if ('stream' in reply) reply.write(body.subarray(0, half), written);
      else reply.write(body.subarray(0, half), written);
    });
  await rest(body.subarray(half));
}

/** Waits, but not for whom has gone away, and not beyond the end of the fault. */
async function pause(ms: number, signal: AbortSignal, reply: Reply): Promise<void> {
  const gone = new AbortController();
  const leave = (): void => {
    gone.abort();
  };
  reply.once('close', leave);
  await sleep(ms, undefined, { signal: AbortSignal.any([signal, gone.signal]) }).catch(() => {});
  reply.off('close', leave);
}

function hangUp(reply: Reply): void {
  if ('stream' in reply) reply.stream.destroy();
  else reply.destroy();
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
