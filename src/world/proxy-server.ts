import http, { type IncomingMessage } from 'node:http';
import http2 from 'node:http2';
import type { Duplex } from 'node:stream';
import type { EventEmitter } from 'node:events';
import { Budget } from '../process/budget.ts';
import { portOf } from '../process/listening-port.ts';
import { answerRequest, type OriginHandler, REQUEST_BUDGET, roomFor } from './answer.ts';
import { type RefusedOnce, Traffic } from './traffic.ts';
import type { Interception } from '../fault/ports.ts';
import type { ExchangeLog } from './exchange-log.ts';
import type { Reply, ServerRequest } from './exchange.ts';
import type { TlsIdentity } from './tls-identity.ts';
import { type AskWebSocket, endWith, passWebSocket } from './web-socket.ts';

/** Time for an app to answer changes requested before the way in was cut, in ms. */
const LAST_ANSWER_MS = 1_000;
/** Most streams at a time on a connection of HTTP/2: as many as Chromium ever opens. */
const MAX_STREAMS = 256;
/** The first byte of a TLS connection: a handshake follows (RFC 8446, 5.1). */
const TLS_HANDSHAKE = 0x16;

export interface ProxyOptions {
  /** The handler of an origin such as `https://example.com`, or null when it is outside the world. */
  handlerOf: (origin: string) => OriginHandler | null;
  /** Where an origin's WebSockets are passed to, or null when it has none. */
  webSocketsOf: (origin: string) => AskWebSocket | null;
  log: ExchangeLog;
  identity: TlsIdentity;
  /** Pages get it for the NAC3 manifest of their app. */
  manifest?: Uint8Array | undefined;
  /** Called after each change of what the log and the traffic count. */
  onChange: () => void;
}

export interface ProxyServer {
  address: string;
  interception: Interception;
  traffic: Pick<Traffic, 'sent' | 'unanswered' | 'refused' | 'named'>;
  /**
   * Lets nothing in any more, at once. What an app was asked to change before is waited for, within a limit; then every
   * connection ends.
   */
  cut: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * An HTTP proxy that answers for the origins of a world: plain requests, and TLS (HTTP/2 or 1.1) inside CONNECT.
 * WebSockets are passed to the apps that have them, and refused otherwise.
 */
export async function startProxyServer(options: ProxyOptions): Promise<ProxyServer> {
  const interception: Interception = { by: null };
  const budget = new Budget(REQUEST_BUDGET);
  const held = { bytes: 0 };
  const traffic = new Traffic(options.onChange);
  const refuse = (refusal: RefusedOnce): void => {
    traffic.refuse(refusal);
  };
  const answerTo = (scheme: 'http' | 'https') => (request: ServerRequest, reply: Reply) => {
    // A failure here is of the way to the browser, which has gone away or will see it break off.
    answerRequest(request, reply, scheme, { ...options, interception, budget, held, traffic, refuse }).catch(() =>
      reply.destroy(),
    );
  };
  const upgrade = upgradesTo(options, { traffic, budget, refuse });
  const { key, cert } = options.identity;
  const answerPlain = answerTo('http');
  const server = http
    .createServer((request, reply) => {
      if (isForServer(request)) reply.writeHead(400).end('this is a proxy, and no server');
      else answerPlain(request, reply);
    })
    .on('upgrade', upgrade('ws'));
  const plainInTunnel = http.createServer(answerTo('http')).on('upgrade', upgrade('ws'));
  const tls = http2
    .createSecureServer(
      { key, cert, allowHTTP1: true, settings: { maxConcurrentStreams: MAX_STREAMS } },
      answerTo('https'),
    )
    .on('upgrade', upgrade('wss'))
    // A certificate warning or a reset by the browser is the browser's affair.
    .on('tlsClientError', (_error, socket) => socket.destroy());

  const connect = inTurn(budget, (request, socket, head) => {
    const target = targetOf(request);
    if (target === null) {
      endWith(socket, '400 Not an address');
    } else if (options.handlerOf(target.origin) === null) {
      refuse(refusedTunnel(target));
      endWith(socket, '502 Outside the world of this task');
    } else {
      acceptTunnel(socket, head, (isTls) => (isTls ? tls : plainInTunnel));
    }
  });
  server.on('connect', connect);
  return { ...(await listening(server, traffic)), interception, traffic };
}

/** Passes WebSockets to the apps that have them, and refuses all others. */
function upgradesTo(
  { webSocketsOf, log }: ProxyOptions,
  { traffic, budget, refuse }: { traffic: Traffic; budget: Budget; refuse: (refusal: RefusedOnce) => void },
): (scheme: 'ws' | 'wss') => TakeConnection {
  const upgrade =
    (scheme: 'ws' | 'wss'): TakeConnection =>
    (request, socket, head) => {
      const { url = '/', headers } = request;
      const { host = 'unknown' } = headers;
      if (!url.startsWith('/') && !URL.canParse(url)) {
        endWith(socket, '400 Not an address');
        return;
      }
      const ask = webSocketsOf(`${scheme === 'ws' ? 'http' : 'https'}://${host}`);
      if (traffic.isCut) {
        socket.destroy();
      } else if (ask === null) {
        refuse({ address: `${scheme}://${host}${url}`, as: 'web_socket', why: 'no_web_sockets' });
        endWith(socket, '501 Not Implemented');
      } else {
        traffic.note();
        traffic.hold(socket);
        const { finish } = log.begin('GET', `${scheme}://${host}${url}`, new Uint8Array(), headers);
        passWebSocket(ask, { request, socket, head }, { finish, traffic, budget });
      }
    };
  return (scheme) => inTurn(budget, upgrade(scheme));
}

type TakeConnection = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Takes over a connection when the budget has room for it: a tunnel or a WebSocket costs as much as a request. */
function inTurn(budget: Budget, take: TakeConnection): TakeConnection {
  return (request, socket, head) => {
    const end = (): void => void socket.destroy();
    socket.on('error', end);
    const goOn = async (): Promise<void> => {
      await roomFor(budget, end);
      if (!socket.destroyed) take(request, socket, head);
    };
    goOn().catch(end);
  };
}

/** Opens a tunnel, and passes it to the server for its protocol. */
function acceptTunnel(socket: Duplex, head: Buffer, serverFor: (isTls: boolean) => EventEmitter): void {
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
  if (head.length > 0) socket.unshift(head);
  socket.once('data', (first: Buffer) => {
    socket.pause();
    socket.unshift(first);
    const isTls = first[0] === TLS_HANDSHAKE;
    serverFor(isTls).emit('connection', socket);
    // TLS reads bytes already here by itself.
    if (!isTls) socket.resume();
  });
}

async function listening(
  server: http.Server,
  traffic: Traffic,
): Promise<Pick<ProxyServer, 'address' | 'cut' | 'close'>> {
  const sockets = new Set<Duplex>();
  const end = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  server.on('connection', (socket) => {
    if (traffic.isCut) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${portOf(server)}`,
    cut: async () => {
      await traffic.cut(LAST_ANSWER_MS);
      end();
    },
    close: async () => {
      end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Whether a request takes the proxy for a server: it names a path alone, which no browser asks a proxy for (RFC 9112, 3.2.2).
 * It comes from a user who looks at what listens on this machine, not from an episode.
 */
function isForServer({ url = '' }: IncomingMessage): boolean {
  return url.startsWith('/');
}

/** Browsers ask for a tunnel to port 80 for WebSockets alone. */
function refusedTunnel({ protocol, host }: URL): RefusedOnce {
  const why = 'outside_world';
  return protocol === 'http:'
    ? { address: `ws://${host}`, as: 'web_socket', why }
    : { address: host, as: 'tunnel', why };
}

/** The target of a CONNECT request; traffic to port 80 is usually not encrypted. */
function targetOf({ url = '' }: IncomingMessage): URL | null {
  const address = `${url.endsWith(':80') ? 'http' : 'https'}://${url}`;
  return URL.canParse(address) ? new URL(address) : null;
}
