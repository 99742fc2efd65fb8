import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import http2, { type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import net, { type AddressInfo, type Socket } from 'node:net';
import { Readable, type Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ExchangeLog } from './exchange-log.ts';
import type { TlsIdentity } from './tls-identity.ts';

type ServerRequest = IncomingMessage | Http2ServerRequest;
type Reply = ServerResponse | Http2ServerResponse;

/** Answers the requests of one origin. */
export type OriginHandler = (request: Request) => Response | Promise<Response>;

export interface ProxyOptions {
  /** The handler of an origin such as `https://example.com`, or null when it is outside the world. */
  handlerOf: (origin: string) => OriginHandler | null;
  /** True when addresses outside the world are passed on to the real web, unread. */
  passOn: boolean;
  log: ExchangeLog;
  identity: TlsIdentity;
}

export interface ProxyServer {
  address: string;
  outside(): Record<string, number>;
  close(): Promise<void>;
}

/** Largest request body that a world takes, in bytes. */
const MAX_REQUEST_BYTES = 10 * 1024 * 1024;
// `connection`-specific headers do not exist in HTTP/2, and the length is the server's to state.
const HOP_HEADERS = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'host', 'content-length']);

/**
 * An HTTP proxy that answers for the origins of a world: plain requests, and TLS (HTTP/2 or 1.1) inside CONNECT.
 * WebSockets are refused.
 */
export async function startProxyServer(options: ProxyOptions): Promise<ProxyServer> {
  const outside = new Map<string, number>();
  const sockets = new Set<Duplex>();
  const refuse = (host: string): void => {
    outside.set(host, (outside.get(host) ?? 0) + 1);
  };
  const answerTo = (scheme: string) => (request: ServerRequest, reply: Reply) => {
    answer(request, reply, addressOf(request, scheme), options, refuse).catch((error: unknown) => {
      failReply(reply, error);
    });
  };
  const server = http.createServer(answerTo('http'));
  const { key, cert } = options.identity;
  const tls = http2.createSecureServer({ key, cert, allowHTTP1: true }, answerTo('https'));
  const plainInTunnel = http.createServer(answerTo('http'));

  for (const each of [server, tls, plainInTunnel]) {
    each.on('upgrade', (_request: IncomingMessage, socket: Duplex) => {
      socket.end('HTTP/1.1 501 Not Implemented\r\n\r\nWebSockets are not part of this world\r\n');
    });
  }
  // A certificate warning or a reset by the browser is the browser's affair.
  tls.on('tlsClientError', (_error, socket) => socket.destroy());
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const target = request.url ?? '';
    const isPlain = target.endsWith(':80');
    const origin = new URL(`${isPlain ? 'http' : 'https'}://${target}`).origin;
    if (options.handlerOf(origin) !== null) {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (head.length > 0) socket.unshift(head);
      (isPlain ? plainInTunnel : tls).emit('connection', socket);
    } else if (options.passOn) {
      tunnel(target, socket, head);
    } else {
      refuse(target);
      socket.end('HTTP/1.1 502 Outside the world of this task\r\n\r\n');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${portOf(server.address())}`,
    outside: () => Object.fromEntries([...outside].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  request: ServerRequest,
  reply: Reply,
  url: string | null,
  { handlerOf, log }: ProxyOptions,
  refuse: (host: string) => void,
): Promise<void> {
  if (url === null) {
    await send(new Response('not an address', { status: 400 }), request, reply);
    return;
  }
  const handler = handlerOf(new URL(url).origin);
  if (handler === null) {
    refuse(new URL(url).host);
    await send(new Response('outside the world of this task', { status: 502 }), request, reply);
    return;
  }
  const body = await readBody(request);
  const method = request.method ?? 'GET';
  if (body === null) {
    log.begin(method, url, new Uint8Array())(413);
    await send(new Response('request body too large', { status: 413 }), request, reply);
    return;
  }
  const finish = log.begin(method, url, body);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const response = await handler(new Request(url, { method, headers: headersOf(request), ...(hasBody ? { body } : {}) }));
  finish(response.status);
  await send(response, request, reply);
}

/** The absolute address of a request, whether it came to the proxy or through a tunnel; null when it has none. */
function addressOf(request: ServerRequest, scheme: string): string | null {
  const path = request.url ?? '/';
  const host = request.headers[':authority'] ?? request.headers.host;
  const address = path.startsWith('/') ? `${scheme}://${String(host)}${path}` : path;
  return URL.canParse(address) && /^https?:/.test(address) ? new URL(address).href : null;
}

function headersOf(request: ServerRequest): [string, string][] {
  return Object.entries(request.headers).flatMap(([name, value]) => {
    if (name.startsWith(':') || HOP_HEADERS.has(name) || value === undefined) return [];
    return [value].flat().map((each): [string, string] => [name, each]);
  });
}

async function readBody(request: ServerRequest): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size <= MAX_REQUEST_BYTES) chunks.push(bytes);
  }
  return size > MAX_REQUEST_BYTES ? null : Buffer.concat(chunks);
}

async function send(response: Response, request: ServerRequest, reply: Reply): Promise<void> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of response.headers) if (!HOP_HEADERS.has(name)) headers[name] = value;
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  reply.writeHead(response.status, headers);
  if (response.body === null || request.method === 'HEAD') {
    reply.end();
    return;
  }
  await pipeline(Readable.fromWeb(response.body), reply);
}

function failReply(reply: Reply, error: unknown): void {
  if (reply.headersSent) {
    reply.destroy();
    return;
  }
  reply.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' });
  reply.end(`the app failed: ${error instanceof Error ? error.message : String(error)}`);
}

function tunnel(target: string, socket: Duplex, head: Buffer): void {
  const { hostname, port } = new URL(`https://${target}`);
  const upstream: Socket = net.connect(Number(port === '' ? 443 : port), hostname, () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    upstream.write(head);
    upstream.pipe(socket).pipe(upstream);
  });
  upstream.on('error', () => socket.destroy());
  socket.on('close', () => upstream.destroy());
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
