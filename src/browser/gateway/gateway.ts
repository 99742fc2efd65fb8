import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { commandIn } from './command.ts';
import { CommandLog } from './command-log.ts';
import { refusalOf } from './command-policy.ts';

/** Where third-party tools find a browser: Chromium's debugging port as they know it, but ours. */
export interface Gateway {
  /** `http://127.0.0.1:<port>`, as tools take for a CDP address. */
  url: string;
  port: number;
  log: CommandLog;
  /** Ends every connection and gives the port back. */
  close(): Promise<void>;
}

/** Longest message that is passed on, in bytes. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

const Described = z.looseObject({ webSocketDebuggerUrl: z.string().optional() });
type Described = z.infer<typeof Described>;

/**
 * Stands in front of a browser's debugging port: passes on what clients and browser say to each other, counts every command,
 * and refuses those that {@link refusalOf} names.
 * @param endpoint the browser's own WebSocket address, `ws://127.0.0.1:<port>/devtools/browser/<id>`
 */
export async function startGateway(endpoint: string): Promise<Gateway> {
  const browser = new URL(endpoint);
  const log = new CommandLog();
  const clients = new Set<WebSocket>();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES });
  const server = http.createServer((request, response) => {
    answer(request, response, browser).catch(() => response.writeHead(502).end());
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { pathname } = new URL(request.url ?? '/', browser);
    // A page says where it comes from; a tool does not. No page is to reach the protocol.
    if (!pathname.startsWith('/devtools/') || request.headers.origin !== undefined) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      clients.add(client);
      client.on('close', () => clients.delete(client));
      connect(client, new URL(pathname, browser).href, log);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    log,
    close: async () => {
      for (const client of clients) client.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Joins a client and the browser: each hears the other, and the end of one is the end of both. */
function connect(client: WebSocket, address: string, log: CommandLog): void {
  const browser = new WebSocket(address, { perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES });
  const waiting: string[] = [];
  client.on('message', (data) => {
    const message = textOf(data);
    const command = commandIn(message);
    // What is no command the browser would only complain of.
    if (command === null) return;
    const refusal = refusalOf(command);
    log.note(command, refusal);
    if (refusal !== null) {
      const error = { code: -32_000, message: `refused by Touchstone: ${refusal.why}` };
      client.send(JSON.stringify({ id: command.id, error, sessionId: command.sessionId }));
    } else if (browser.readyState === WebSocket.OPEN) {
      browser.send(message);
    } else {
      waiting.push(message);
    }
  });
  browser.on('open', () => {
    for (const message of waiting.splice(0)) browser.send(message);
  });
  browser.on('message', (data) => {
    if (client.readyState === WebSocket.OPEN) client.send(textOf(data));
  });
  for (const [one, other] of [
    [client, browser],
    [browser, client],
  ] as const) {
    one.on('close', () => {
      other.terminate();
    });
    // Its end is an event of its own.
    one.on('error', () => {});
  }
}

/** Answers `/json…` as the browser does, with our addresses in the place of its own. */
async function answer(request: IncomingMessage, response: ServerResponse, browser: URL): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '/', browser);
  const isKnown = /^\/json(?:\/(?:version|list|protocol))?\/?$/.test(pathname);
  if (!isKnown || request.method !== 'GET' || request.headers.origin !== undefined) {
    response.writeHead(404).end();
    return;
  }
  const reply = await fetch(new URL(`${pathname}${search}`, `http://${browser.host}`));
  const here = `127.0.0.1:${request.socket.localPort}`;
  const described = z.union([z.array(Described), Described]).parse(await reply.json());
  const ours = Array.isArray(described) ? described.map((each) => renamed(each, here)) : renamed(described, here);
  response.writeHead(reply.status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(ours));
}

function renamed({ devtoolsFrontendUrl: _theirs, ...described }: Described, here: string): Described {
  const { webSocketDebuggerUrl: address } = described;
  if (address === undefined) return described;
  return { ...described, webSocketDebuggerUrl: `ws://${here}${new URL(address).pathname}` };
}

function textOf(data: WebSocket.RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.from(data instanceof ArrayBuffer ? new Uint8Array(data) : data).toString('utf8');
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
