import http from 'node:http';
import { Readable } from 'node:stream';
import { type FetchLike, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { McpSession, type ServerLink } from '../mcp/mcp-session.ts';
import { bindCall, AppTargets } from './call-target.ts';

/** Time for the app's server to answer until its tools are listed, in ms. */
const OPEN_TIMEOUT_MS = 20_000;

/**
 * Connects to an app's own server through the proxy of the world.
 * @param goal of the agent
 * @throws Error when the server does not answer
 */
export async function openAppServer(address: { url: string; proxy: string }, goal: string): Promise<McpSession> {
  const traits = { name: "the app's MCP server", bind: bindCall, targets: new AppTargets(goal) };
  return await McpSession.open(new HttpLink(address), traits, AbortSignal.timeout(OPEN_TIMEOUT_MS));
}

class HttpLink extends StreamableHTTPClientTransport implements ServerLink {
  readonly home = null;
  readonly errorOutput = '';

  constructor({ url, proxy }: { url: string; proxy: string }) {
    super(new URL(url), { fetch: fetchThrough(proxy) });
  }
}

/** Statuses without a body (Fetch standard). */
const BODILESS = new Set([204, 205, 304]);

/** `fetch` through a proxy for http: addresses, so that the world logs the requests. */
function fetchThrough(proxy: string): FetchLike {
  const { hostname: host, port } = new URL(proxy);
  return async (url, init = {}) => {
    const address = new URL(url);
    const headers = { ...Object.fromEntries(new Headers(init.headers)), host: address.host };
    const { method = 'GET', body = null, signal = null } = init;
    if (body !== null && typeof body !== 'string') throw new Error('only text can be sent');
    return await new Promise((resolve, reject) => {
      const options = {
        host,
        port,
        path: address.href,
        method,
        headers,
        agent: false,
        ...(signal === null ? {} : { signal }),
      };
      const request = http.request(options, (response) => {
        resolve(responseOf(response));
      });
      request.on('error', reject);
      request.end(body ?? undefined);
    });
  };
}

function responseOf(message: http.IncomingMessage): Response {
  const { statusCode: status = 502, headers } = message;
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  if (BODILESS.has(status)) {
    message.resume();
    return new Response(null, { status, headers: pairs });
  }
  const chunks = Readable.toWeb(message);
  return new Response(ReadableStream.from(chunks), { status, headers: pairs });
}
