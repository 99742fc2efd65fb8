import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { portOf } from '../../process/listening-port.ts';
import type { CdpConnection } from '../cdp.ts';
import type { JudgedBrowser } from '../judged-browser.ts';
import { Backlog } from './backlog.ts';
import { CommandLog } from './command-log.ts';
import { Connection, MAX_COMMAND_BYTES } from './connection.ts';
import { describe, targetOf } from './description.ts';

/** Where third-party tools find a browser: a debugging port as they know it, and the only one that there is. */
export interface Gateway {
  /** `http://127.0.0.1:<port>`, as tools take for a CDP address. */
  url: string;
  port: number;
  log: CommandLog;
  /** The pages that clients have opened for themselves, by target id: those that pages open are not among them. */
  opened: ReadonlySet<string>;
  /** Ends the connections of all clients, and says how many; they may come again. */
  cut(): number;
  /** Ends every connection, and what it has begun in the browser, and gives the port back. */
  close(): Promise<void>;
}

/** Most connections at a time; a tool has one, or one for each page. */
const MAX_CONNECTIONS = 512;
/** Longest time that a request may take to come in, in ms. */
const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Stands in front of a browser: passes on what clients and browser say to each other, counts every command, and refuses those
 * that {@link refusalOf} names.
 */
export async function startGateway(browser: Pick<JudgedBrowser, 'observer' | 'switchboard'>): Promise<Gateway> {
  const { switchboard } = browser;
  const log = new CommandLog();
  const [unread, untaken] = [new Backlog(), new Backlog()];
  const opened = new Set<string>();
  const hasPage = (id: unknown): boolean => browser.observer.hasPage(id);
  const clients = new Map<WebSocket, Connection>();
  const cut = (): void => {
    for (const client of clients.keys()) client.terminate();
  };
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_COMMAND_BYTES });
  const server = http.createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    answer(request, response, browser.observer.cdp).catch(() => response.writeHead(502).end());
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const target = targetOf(pathOf(request));
    // A page says where it comes from; a tool does not. No page is to reach the protocol.
    if (target === null || request.headers.origin !== undefined) {
      turnAway(socket);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      const shared = { switchboard, log, unread, untaken, opened, hasPage };
      const connection = new Connection(client, { ...shared, ...target });
      clients.set(client, connection);
      // Before it is made a message of: of one that does not end, nothing else tells.
      socket.prependListener('data', ({ length }: Buffer) => {
        connection.comes(length);
      });
      client.on('close', () => clients.delete(client));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    log,
    opened,
    cut: () => {
      const { size } = clients;
      cut();
      return size;
    },
    close: async () => {
      await Promise.all([...clients.values()].map((client) => client.end()));
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

/** Answers `/json…` as Chromium's own port would. */
async function answer(request: IncomingMessage, response: ServerResponse, cdp: CdpConnection): Promise<void> {
  const here = `127.0.0.1:${request.socket.localPort}`;
  const isForUs = request.method === 'GET' && request.headers.origin === undefined;
  const described = isForUs ? await describe(pathOf(request), cdp, here) : null;
  if (described === null) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(described));
}

function pathOf({ url = '' }: IncomingMessage): string {
  const base = 'http://gateway.invalid';
  return URL.canParse(url, base) ? new URL(url, base).pathname : '/';
}
