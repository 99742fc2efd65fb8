import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { meansKept } from './outside-app/judge-secret.ts';

/** A server of an app: at a port of loopback, or behind a socket in the file system. */
export type AppServer = { port: number } | { socketPath: string };

/** The options of Node's `http.request` to it, with a new connection each time. */
export function atServer(server: AppServer): RequestOptions {
  return { host: '127.0.0.1', ...server, agent: false };
}

/** A process that answers for an app, and the paths at which it answers only the judge. */
export interface Behind {
  server: AppServer;
  kept: readonly string[];
}

/** Has a process answer what browsers ask of its app. */
export async function askBehind({ server, kept }: Behind, request: Request): Promise<Response> {
  return meansKept(request, kept) ? new Response('not found', { status: 404 }) : await askBackend(server, request);
}

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

/** Has a server answer a request for an origin of the world; it sees that origin as its own. */
export async function askBackend(server: AppServer, request: Request): Promise<Response> {
  const { host, pathname, search } = new URL(request.url);
  const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
  const headers = { ...Object.fromEntries(request.headers), host, ...(body && { 'content-length': body.byteLength }) };
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    http
      .request({
        ...atServer(server),
        signal: request.signal,
        method: request.method,
        path: pathname + search,
        headers,
      })
      .once('response', resolve)
      .once('error', reject)
      .end(body ?? undefined);
  });
  return upstreamResponse(reply);
}

/**
 * Whether a server answers this path with success.
 * @param limitMs how long it may take, in ms; one may accept a connection and stay silent
 */
export async function answersAt(server: AppServer, path: string, limitMs: number): Promise<boolean> {
  try {
    const request = new Request(`http://127.0.0.1${path}`, { signal: AbortSignal.timeout(limitMs) });
    const response = await askBackend(server, request);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
