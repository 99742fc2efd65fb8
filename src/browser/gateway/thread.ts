import { readFile } from 'node:fs/promises';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { Duplex } from 'node:stream';
import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { Budget } from '../../process/budget.ts';
import { portOf } from '../../process/listening-port.ts';
import { Connection } from './connection.ts';
import { ScriptCalls } from './script-calls.ts';
import type { FromThread, ToThread } from './thread-messages.ts';
import { REQUEST_COST, acceptUpgrades } from './upgrades.ts';

/** Most connections at a time; a tool has one, or one for each page. */
const MAX_CONNECTIONS = 512;
const REQUEST_TIMEOUT_MS = 10_000;
/** Budget of bytes for all clients together; the busiest tool server, Playwright MCP, sent 7.6 MB in eight episodes of `basics`. */
const BUDGET = { perSecond: 8 * 1024 * 1024, burst: 16 * 1024 * 1024 };
/** Most bytes that are kept for all clients; a browser's longest message fits into it. */
const MAX_HELD = 256 * 1024 * 1024;

const { resolve } = createRequire(import.meta.url);

export interface ThreadData {
  port: MessagePort;
  browserPath: string;
}

/** The part of a gateway that clients connect to, in a thread of its own: however much they send, only checked commands leave it. */
class GatewayThread {
  readonly #port: MessagePort;
  readonly #browserPath: string;
  readonly #budget = new Budget(BUDGET);
  readonly #connections = new Map<number, Connection>();
  readonly #requests = new Map<number, ServerResponse>();
  readonly #scripts = new ScriptCalls((step) => {
    this.#post({ kind: 'script', step });
  });
  /** The browser's path of each file that clients may name, by the client's path. */
  readonly #lent = new Map<string, string>();
  #last = 0;
  #protocol: Promise<string> | null = null;

  constructor({ port, browserPath }: ThreadData) {
    this.#port = port;
    this.#browserPath = browserPath;
  }

  listen(): void {
    this.#port.on('message', (message: ToThread) => {
      this.#obey(message);
    });
    const server = http.createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
      this.#answer(request, response).catch(() => response.writeHead(502).end());
    });
    server.maxConnections = MAX_CONNECTIONS;
    acceptUpgrades(server, {
      budget: this.#budget,
      // A page sends an Origin; a tool does not. No page may reach the protocol.
      targetOf: (request) => (request.headers.origin === undefined ? this.#targetOf(pathOf(request)) : null),
      connect: (client, socket, { id: targetId }) => {
        const number = this.#next();
        this.#connections.set(number, this.#connect(client, socket, number));
        client.on('close', () => {
          this.#connections.delete(number);
          this.#post({ kind: 'left', client: number });
        });
        this.#post({ kind: 'came', client: number, targetId });
      },
    });
    server.listen(0, '127.0.0.1', () => {
      this.#post({ kind: 'listening', port: portOf(server) });
    });
  }

  #connect(...[client, socket, number]: [ConstructorParameters<typeof Connection>[0], Duplex, number]): Connection {
    return new Connection(client, socket, {
      client: number,
      budget: this.#budget,
      scripts: this.#scripts,
      lent: this.#lent,
      post: (message) => {
        this.#post(message);
      },
      onHeld: () => {
        this.#cutOffWhoHoldsMost();
      },
      // A call begins before its commands are sent, and must be known before they are checked.
      catchUp: () => {
        this.#catchUp();
      },
    });
  }

  #post(message: FromThread): void {
    this.#port.postMessage(message, []);
  }

  #catchUp(): void {
    for (;;) {
      const received: { message: ToThread } | undefined = receiveMessageOnPort(this.#port);
      if (received === undefined) return;
      this.#obey(received.message);
    }
  }

  #obey(message: ToThread): void {
    switch (message.kind) {
      case 'heard':
        for (const { client, bytes } of message.messages) this.#connections.get(client)?.deliver(bytes);
        break;
      case 'taken':
        this.#connections.get(message.client)?.taken(message.weight);
        break;
      case 'end':
        this.#connections.get(message.client)?.end();
        break;
      case 'cut':
        for (const client of message.clients) this.#connections.get(client)?.terminate();
        break;
      case 'answered': {
        const { request, status, text } = message;
        const response = this.#requests.get(request);
        this.#requests.delete(request);
        if (response !== undefined) reply(response, status, text);
        break;
      }
      case 'call':
        this.#scripts.callBegins(message.args);
        break;
      case 'files':
        for (const [path, lent] of message.paths) this.#lent.set(path, lent);
        break;
    }
  }

  /** Answers `/json…` as Chromium's own port would. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request).replace(/\/$/, '');
    this.#budget.spend(REQUEST_COST);
    await this.#budget.room();
    if (request.method !== 'GET' || request.headers.origin !== undefined) reply(response, 404, null);
    else if (path === '/json/protocol') reply(response, 200, await (this.#protocol ??= protocol()));
    else if (['/json', '/json/list', '/json/version'].includes(path)) this.#ask(path, request, response);
    else reply(response, 404, null);
  }

  #ask(path: string, request: IncomingMessage, response: ServerResponse): void {
    const number = this.#next();
    this.#requests.set(number, response);
    response.on('close', () => this.#requests.delete(number));
    this.#post({ kind: 'asked', request: number, path, host: `127.0.0.1:${request.socket.localPort}` });
  }

  /** Cuts off the client that holds most, by not reading replies or by not finishing messages, if all together hold too much. */
  #cutOffWhoHoldsMost(): void {
    const held = [...this.#connections.values()].map((connection) => connection.held);
    if (held.reduce((total, each) => total + each, 0) <= MAX_HELD) return;
    const most = Math.max(...held);
    [...this.#connections.values()].find((connection) => connection.held === most)?.terminate();
  }

  /** Finds the target that a path names; its id is null for the browser itself. Null if it names neither. */
  #targetOf(path: string): { id: string | null } | null {
    if (path === this.#browserPath || path === '/devtools/browser') return { id: null };
    const id = /^\/devtools\/page\/([\w-]+)$/.exec(path)?.[1];
    return id === undefined ? null : { id };
  }

  #next(): number {
    this.#last += 1;
    return this.#last;
  }
}

function reply(response: ServerResponse, status: number, text: string | null): void {
  if (text === null) response.writeHead(status).end();
  else response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(text);
}

function pathOf({ url = '' }: IncomingMessage): string {
  const base = 'http://gateway.invalid';
  return URL.canParse(url, base) ? new URL(url, base).pathname : '/';
}

/** The protocol as it was described last, for clients that make their methods from it: Chromium's own may be a little older or newer. */
async function protocol(): Promise<string> {
  const [browser, js] = await Promise.all(
    ['browser', 'js'].map(async (part): Promise<Protocol> => {
      const file = resolve(`devtools-protocol/json/${part}_protocol.json`);
      return JSON.parse(await readFile(file, 'utf8'));
    }),
  );
  return JSON.stringify({ version: browser?.version, domains: [...(browser?.domains ?? []), ...(js?.domains ?? [])] });
}

interface Protocol {
  version: unknown;
  domains: unknown[];
}

const data: ThreadData = workerData;
new GatewayThread(data).listen();
