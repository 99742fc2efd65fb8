import http, { type IncomingMessage } from 'node:http';
import { type AppServer, atServer } from '../app-server.ts';
import { upstreamResponse } from '../upstream-response.ts';

/** Has a server answer a request for an origin of the world; it sees that origin as its own. */
export async function askBackend(server: AppServer, request: Request): Promise<Response> {
  const { host, pathname, search } = new URL(request.url);
  const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
  const headers = { ...Object.fromEntries(request.headers), host, ...lengthOf(body) };
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

function lengthOf(body: Buffer | null): { 'content-length'?: number } {
  return body === null ? {} : { 'content-length': body.byteLength };
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
