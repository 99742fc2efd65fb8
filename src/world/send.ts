import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

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

export function headersToSend(response: Response): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of response.headers) if (!HOP_HEADERS.has(name)) headers[name] = value;
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  return headers;
}
