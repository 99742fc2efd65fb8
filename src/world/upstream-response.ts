import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** Statuses whose response has no body. */
export const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Turn a server's reply into a web-standard response; its body streams, encoded as it came. */
export function upstreamResponse(reply: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, values] of Object.entries(reply.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const status = reply.statusCode ?? 502;
  if (!WITHOUT_BODY.has(status)) return new Response(streamOf(reply), { status, headers });
  reply.resume();
  return new Response(null, { status, headers });
}

/** Node's own types for the same web stream differ from those of the web. */
function streamOf(reply: IncomingMessage): ReadableStream<Uint8Array> {
  return Readable.toWeb(reply);
}
