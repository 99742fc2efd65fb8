import http, { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { type Duplex, Transform } from 'node:stream';
import type { Budget } from '../process/budget.ts';
import { BODY_COST } from './answer.ts';
import { type AppServer, atServer } from './backend.ts';
import type { Traffic } from './traffic.ts';
import { isSecretHeader, meansKept } from './outside-app/judge-secret.ts';

interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  /** The bytes that came right after the request. */
  head: Buffer;
}

/** Makes a request to the server of an origin's WebSockets, yet to be ended; null if the path is kept for the judge. */
export type AskWebSocket = (path: string, headers: OutgoingHttpHeaders) => ClientRequest | null;

/** Cost of a chunk that a browser sends, however short. */
const CHUNK_COST = 2 * 1024;

/** @param kept paths that are for the judge alone */
export function webSocketsOn(server: AppServer, kept: readonly string[]): AskWebSocket {
  return (path, headers) => {
    const named = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    const isKept = meansKept(new Request(new URL(`http://app${path}`), { headers: named }), kept);
    return isKept ? null : http.request({ ...atServer(server), path, headers });
  };
}

/**
 * Passes a WebSocket on, no faster than the world's budget has room for, and counts what the browser sends over it. Only a
 * server that agrees to it gets the connection: nothing but the WebSocket's own frames can go past the log.
 */
export function passWebSocket(
  ask: AskWebSocket,
  { request, socket, head }: Upgrade,
  { finish, traffic, budget }: { finish: (status: number) => void; traffic: Pick<Traffic, 'note'>; budget: Budget },
): void {
  socket.on('error', () => socket.destroy());
  const { url = '/', headers } = request;
  const path = url.startsWith('/') ? url : new URL(url).pathname + new URL(url).search;
  const asked = ask(path, Object.fromEntries(Object.entries(headers).filter(([name]) => !isSecretHeader(name))));
  if (asked === null) {
    finish(404);
    endWith(socket, '404 Not Found');
    return;
  }
  asked.once('upgrade', (reply, backend, backendHead) => {
    finish(101);
    backend.on('error', () => backend.destroy());
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${rawHeaders(reply)}\r\n\r\n`);
    if (backendHead.length > 0) socket.write(backendHead);
    if (head.length > 0) socket.unshift(head);
    const paced = new Transform({
      transform: (chunk: Buffer, _encoding, pass) => {
        traffic.note();
        budget.spend(CHUNK_COST + chunk.length * BODY_COST);
        const go = (): void => {
          pass(null, chunk);
        };
        if (budget.isSpent) budget.whenRefilled(go);
        else go();
      },
    });
    socket.pipe(paced).pipe(backend).pipe(socket);
    socket.once('close', () => backend.destroy());
    backend.once('close', () => socket.destroy());
  });
  asked.once('response', (reply) => {
    const status = reply.statusCode ?? 502;
    finish(status);
    reply.destroy();
    endWith(socket, `${status} ${http.STATUS_CODES[status] ?? 'Refused'}`);
  });
  asked.once('error', () => {
    endWith(socket, '502 Bad Gateway');
  });
  asked.end();
}

/** Answers a connection with a status and nothing else. */
export function endWith(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function rawHeaders({ rawHeaders: flat }: IncomingMessage): string {
  return flat.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${flat[index + 1] ?? ''}`] : [])).join('\r\n');
}
