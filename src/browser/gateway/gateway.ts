import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { portOf } from '../../process/listening-port.ts';
import { CommandLog } from './command-log.ts';
import { Connection, MAX_COMMAND_BYTES } from './connection.ts';
import { Faults } from './faults.ts';

/** Where third-party tools find a browser: Chromium's debugging port as they know it, but ours. */
export interface Gateway {
  /** `http://127.0.0.1:<port>`, as tools take for a CDP address. */
  url: string;
  port: number;
  log: CommandLog;
  /** What is to go wrong here, if anything. */
  faults: Faults;
  /** Ends the connections of all clients, and says how many; they may come again. */
  cut(): number;
  /** Ends every connection and gives the port back. */
  close(): Promise<void>;
}

/** Most connections at a time; a tool has one, or one for each page. */
const MAX_CONNECTIONS = 512;
/** How long a request may take to come in, and the browser to describe itself, in ms. */
const REQUEST_TIMEOUT_MS = 10_000;

const Described = z.looseObject({ webSocketDebuggerUrl: z.string().optional() });
type Described = z.infer<typeof Described>;

/**
 * Stands in front of a browser's debugging port: passes on what clients and browser say to each other, counts every command,
 * and refuses those that {@link refusalOf} names.
 * @param endpoint the browser's own WebSocket address, `ws://127.0.0.1:<port>/devtools/browser/<id>`
 */
export async function startGateway(endpoint: string): Promise<Gateway> {
  const browser = new URL(endpoint);
  const [log, faults] = [new CommandLog(), new Faults()];
  const clients = new Map<WebSocket, Connection>();
  const cut = (): void => {
    for (const client of clients.keys()) client.terminate();
  };
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_COMMAND_BYTES });
  const server = http.createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    answer(request, response, browser).catch(() => response.writeHead(502).end());
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { url = '', headers } = request;
    const { pathname } = URL.canParse(url, browser.href) ? new URL(url, browser) : { pathname: '/' };
    // A page says where it comes from; a tool does not. No page is to reach the protocol.
    if (!pathname.startsWith('/devtools/') || headers.origin !== undefined) {
      turnAway(socket);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      clients.set(client, new Connection(client, { address: new URL(pathname, browser).href, log, faults, cut }));
      client.on('close', () => clients.delete(client));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    log,
    faults,
    cut: () => {
      const { size } = clients;
      cut();
      return size;
    },
    close: async () => {
      cut();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Says no and hangs up: who does not hang up too would keep the gateway from ending. */
function turnAway(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n', () => socket.destroy());
}

/** Answers `/json…` as the browser does, with our addresses in the place of its own. */
async function answer(request: IncomingMessage, response: ServerResponse, browser: URL): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '/', browser);
  const isKnown = /^\/json(?:\/(?:version|list|protocol))?\/?$/.test(pathname);
  if (!isKnown || request.method !== 'GET' || request.headers.origin !== undefined) {
    response.writeHead(404).end();
    return;
  }
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const reply = await fetch(new URL(`${pathname}${search}`, `http://${browser.host}`), { signal });
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
