import { randomUUID } from 'node:crypto';
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import type { Protocol } from 'devtools-protocol';
import type { JsonObject } from '../../contract/json.ts';
import { startThread } from '../../process/thread.ts';
import type { CdpConnection } from '../cdp.ts';
import type { JudgedBrowser } from '../judged-browser.ts';
import { isOfWorld } from '../url-policy.ts';
import { CommandLog } from './command-log.ts';
import { ResizedWindows } from './resized-windows.ts';
import type { ThreadData } from './thread.ts';
import type { FromThread, ToThread } from './thread-messages.ts';
import { DOWNLOAD_EVENTS, GatewayVisit } from './visit.ts';
import { NO_TARGET } from './world-view.ts';

/** Address at which third-party tools find a browser: a debugging port as they know it, and the only one that there is. */
export interface Gateway {
  /** `http://127.0.0.1:<port>`, as tools take for a CDP address. */
  url: string;
  port: number;
  readonly log: CommandLog;
  /** The pages that clients have opened for themselves, by target id: those that pages open are not among them. */
  opened: ReadonlySet<string>;
  /** From now on, commands of the clients may be for this tool call, whose arguments the agent wrote. */
  callBegins(args: JsonObject): void;
  /** Lets clients upload files. @param paths the browser's, by those that clients name */
  lend(paths: ReadonlyMap<string, string>): void;
  /** Ends the connections of all clients, and returns how many there were; they may reconnect. */
  cut(): number;
  /** Ends every connection and what it began in the browser, and frees the port. */
  close(): Promise<void>;
}

type JudgedParts = Pick<JudgedBrowser, 'observer' | 'switchboard'>;

/** Reads, checks and limits what clients send, in a thread of its own, so that no client delays those of other browsers. */
export async function startGateway(browser: JudgedParts): Promise<Gateway> {
  const { port1: port, port2 } = new MessageChannel();
  const browserPath = `/devtools/browser/${randomUUID()}`;
  const data: ThreadData = { port: port2, browserPath };
  const worker = startThread('thread', import.meta.url, data, [port2]);
  const gateway = new ThreadedGateway(browser, { port, worker, browserPath });
  await gateway.listening;
  return gateway;
}

interface Thread {
  port: MessagePort;
  worker: Worker;
  browserPath: string;
}

class ThreadedGateway implements Gateway {
  readonly opened = new Set<string>();
  readonly listening: Promise<void>;
  readonly #browser: JudgedParts;
  readonly #thread: Thread;
  readonly #log = new CommandLog();
  readonly #windows: ResizedWindows;
  readonly #visits = new Map<number, GatewayVisit>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #offs: (() => void)[];
  #heard: { client: number; bytes: Uint8Array<ArrayBuffer> }[] = [];
  #listens: () => void = () => {};
  port = 0;

  constructor(browser: JudgedParts, thread: Thread) {
    this.#browser = browser;
    this.#windows = new ResizedWindows(browser.observer.cdp);
    this.#thread = thread;
    const { worker, port } = thread;
    const { cdp } = browser.observer;
    this.#offs = DOWNLOAD_EVENTS.map((method) =>
      cdp.on(method, (params) => {
        for (const { downloads } of this.#visits.values()) downloads.happened(method, params);
      }),
    );
    this.listening = new Promise((resolve, reject) => {
      this.#listens = resolve;
      worker.once('error', reject);
    });
    // A thread that its own clients ended closes the way into this browser, and nothing else.
    worker.on('exit', () => {
      for (const client of this.#visits.keys()) this.#left(client);
    });
    port.on('message', (message: FromThread) => {
      this.#take(message);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get log(): CommandLog {
    this.#catchUp();
    return this.#log;
  }

  callBegins(args: JsonObject): void {
    this.#ask({ kind: 'call', args });
  }

  lend(paths: ReadonlyMap<string, string>): void {
    this.#ask({ kind: 'files', paths });
  }

  cut(): number {
    this.#catchUp();
    const clients = [...this.#visits.keys()];
    this.#ask({ kind: 'cut', clients });
    for (const client of clients) this.#left(client);
    return clients.length;
  }

  async close(): Promise<void> {
    this.cut();
    for (const off of this.#offs) off();
    const { worker, port } = this.#thread;
    await worker.terminate();
    port.close();
    await Promise.all(this.#leaving);
    await this.#windows.restore();
  }

  #ask(message: ToThread, transfer: ArrayBuffer[] = []): void {
    this.#thread.port.postMessage(message, transfer);
  }

  #catchUp(): void {
    for (;;) {
      const received: { message: FromThread } | undefined = receiveMessageOnPort(this.#thread.port);
      if (received === undefined) return;
      this.#take(received.message);
    }
  }

  #take(message: FromThread): void {
    switch (message.kind) {
      case 'listening':
        this.port = message.port;
        this.#listens();
        break;
      case 'came':
        this.#came(message.client, message.targetId);
        break;
      case 'command':
        this.#pass(message);
        break;
      case 'refused':
        if (this.#visits.has(message.client)) this.#log.note(message.method, message);
        break;
      case 'script':
        this.#log.scriptReached(message.step);
        break;
      case 'left':
        this.#left(message.client);
        break;
      case 'asked':
        void this.#answer(message);
        break;
    }
  }

  #came(client: number, targetId: string | null): void {
    if (targetId !== null && this.#browser.observer.outside.has(targetId)) {
      this.#ask({ kind: 'cut', clients: [client] });
      return;
    }
    const visit = new GatewayVisit(this.#browser.switchboard, targetId, {
      onMessage: (message) => {
        this.#tell(client, message);
      },
      onTaken: (weight) => {
        this.#ask({ kind: 'taken', client, weight });
      },
      onEnd: () => {
        this.#ask({ kind: 'end', client });
      },
      onOpened: (id) => this.opened.add(id),
    });
    this.#visits.set(client, visit);
  }

  #left(client: number): void {
    const visit = this.#visits.get(client);
    if (visit === undefined) return;
    this.#visits.delete(client);
    const leaving = visit.end().finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  #pass({ client, command, weight, windowOf, resizes }: Extract<FromThread, { kind: 'command' }>): void {
    const visit = this.#visits.get(client);
    if (visit === undefined) return;
    const { id, method, sessionId } = command;
    // The headless shell ends when it is asked for the window of a target that it does not have, or of itself: the answer is
    // full Chromium's. Of all commands that name a target, a window or a context, no other was seen to end it.
    const isNone = windowOf !== null && !this.#browser.observer.hasPage(windowOf);
    const error = visit.view.denialOf(command) ?? (isNone ? NO_TARGET : null);
    this.#log.note(method, error === null ? null : { isViolation: false });
    const isOfDownloads = method.endsWith('.setDownloadBehavior');
    if (error === null && !isOfDownloads) {
      if (resizes !== null) this.#windows.note(resizes);
      visit.send(command, weight);
      return;
    }
    // Libraries set it as they connect; the judge keeps all downloads.
    if (error === null && isOfDownloads) visit.downloads.asked(command);
    this.#tell(
      client,
      Buffer.from(JSON.stringify({ id, ...(error === null ? { result: {} } : { error }), sessionId })),
    );
    this.#ask({ kind: 'taken', client, weight });
  }

  #tell(client: number, message: Buffer): void {
    if (this.#heard.length === 0)
      queueMicrotask(() => {
        const messages = this.#heard;
        this.#heard = [];
        this.#ask(
          { kind: 'heard', messages },
          messages.map(({ bytes }) => bytes.buffer),
        );
      });
    this.#heard.push({ client, bytes: new Uint8Array(message) });
  }

  async #answer({ request, path, host }: Extract<FromThread, { kind: 'asked' }>): Promise<void> {
    const { cdp } = this.#browser.observer;
    const here = { host, browserPath: this.#thread.browserPath };
    const answer = await describe(path, cdp, here).catch(() => null);
    const text = answer === null ? null : JSON.stringify(answer);
    this.#ask({ kind: 'answered', request, text, status: text === null ? 502 : 200 });
  }
}

/** Where clients find the gateway. */
interface Here {
  host: string;
  /** The path for connecting to the browser itself. Its last part means nothing, and is as hard to guess as Chromium's own. */
  browserPath: string;
}

/** Answers a path as Chromium's own port would, with addresses of ours. */
async function describe(path: string, cdp: CdpConnection, here: Here): Promise<unknown> {
  if (path === '/json/version') return await versionOf(cdp, here);
  const { targetInfos } = await cdp.send('Target.getTargets');
  return targetInfos.filter(isOfWorld).map((target) => described(target, here));
}

async function versionOf(cdp: CdpConnection, { host, browserPath }: Here) {
  const version = await cdp.send('Browser.getVersion');
  return {
    Browser: version.product,
    'Protocol-Version': version.protocolVersion,
    'User-Agent': version.userAgent,
    'V8-Version': version.jsVersion,
    'WebKit-Version': `537.36 (${version.revision})`,
    webSocketDebuggerUrl: `ws://${host}${browserPath}`,
  };
}

function described({ targetId, type, title, url, parentId }: Protocol.Target.TargetInfo, { host }: Here) {
  const address = `ws://${host}/devtools/page/${targetId}`;
  return { description: '', id: targetId, parentId, title, type, url, webSocketDebuggerUrl: address };
}
