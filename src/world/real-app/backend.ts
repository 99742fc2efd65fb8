import http, { type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** Statuses whose response has no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** Has a server on loopback answer a request for an origin of the world; it sees that origin as its own. */
export async function askBackend(port: number, request: Request): Promise<Response> {
  const { host, pathname, search } = new URL(request.url);
  const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
  const headers = { ...Object.fromEntries(request.headers), host, ...lengthOf(body) };
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    http
      .request({ host: '127.0.0.1', port, method: request.method, path: pathname + search, headers, agent: false })
      .once('response', resolve)
      .once('error', reject)
      .end(body ?? undefined);
  });
  return asResponse(reply);
}

function lengthOf(body: Buffer | null): { 'content-length'?: number } {
  return body === null ? {} : { 'content-length': body.byteLength };
}

function asResponse(reply: IncomingMessage): Response {
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

/**
 * Whether a server on loopback answers this path with success.
 * @param limitMs how long it may take, in ms; one may accept a connection and stay silent
 */
export async function answersAt(port: number, path: string, limitMs: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(limitMs);
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', signal });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
