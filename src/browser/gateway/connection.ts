import { WebSocket } from 'ws';
import { type Command, commandIn } from './command.ts';
import type { CommandLog } from './command-log.ts';
import { refusalOf, withoutDownloads } from './command-policy.ts';
import type { Faults } from './faults.ts';

/** Longest command and longest message of a browser that are passed on, in bytes. */
export const MAX_COMMAND_BYTES = 100 * 1024 * 1024;
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
/** How much may be on its way to one who does not read it, in bytes, before nothing more is taken from the other. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;
/** WebSocket's code for data of a kind that is not taken. */
const UNSUPPORTED_DATA = 1003;

export interface ConnectionOptions {
  /** The browser's own address for what the client has asked for. */
  address: string;
  log: CommandLog;
  faults: Faults;
  /** Ends the connections of all clients. */
  cut: () => void;
}

/**
 * Joins a client and the browser: each hears the other, and the end of one is the end of both. Messages are passed on byte
 * for byte and in order, but for what {@link withoutDownloads} rewrites. Who does not read is waited for: nothing grows
 * without bound here.
 */
export class Connection {
  readonly #client: WebSocket;
  readonly #browser: WebSocket;
  readonly #options: ConnectionOptions;
  /** What the client has said that nobody has looked at yet. */
  readonly #waiting: Buffer[] = [];
  /** Runs while a command is held. */
  #held: NodeJS.Timeout | null = null;

  constructor(client: WebSocket, options: ConnectionOptions) {
    this.#client = client;
    this.#options = options;
    this.#browser = new WebSocket(options.address, { perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES });
    client.on('message', (data, isBinary) => {
      if (isBinary) {
        client.close(UNSUPPORTED_DATA, 'commands are text');
        return;
      }
      this.#waiting.push(bytesOf(data));
      this.#goOn();
    });
    this.#browser.on('open', () => {
      this.#goOn();
    });
    this.#browser.on('message', (data) => {
      pass(bytesOf(data), this.#browser, client);
    });
    client.on('close', () => {
      if (this.#held !== null) clearTimeout(this.#held);
    });
    endTogether(client, this.#browser);
  }

  #goOn(): void {
    while (this.#browser.readyState === WebSocket.OPEN && this.#held === null) {
      const message = this.#waiting.shift();
      if (message === undefined) break;
      try {
        this.#take(message);
      } catch {
        // What cannot be looked at is not passed on, and is the end of no more than the client that sent it.
        this.#client.terminate();
        return;
      }
    }
    // What has come in already still arrives; nothing after that.
    if (this.#waiting.length > 0) this.#client.pause();
    else resumeWhenRead(this.#client, this.#browser);
  }

  #take(message: Buffer): void {
    const { log, faults, cut } = this.#options;
    const command = commandIn(message.toString('utf8'));
    // What is no command the browser would only complain of.
    if (command === null) return;
    const refusal = refusalOf(command);
    log.note(command, refusal);
    if (refusal !== null) {
      refuse(this.#client, command, refusal.why);
      return;
    }
    const harmless = withoutDownloads(command);
    const passedOn = harmless === null ? message : Buffer.from(JSON.stringify(harmless));
    const blow = faults.strike(command.method);
    if (blow === null) pass(passedOn, this.#client, this.#browser);
    else if (blow.kind === 'refuse') refuse(this.#client, command, blow.why);
    else if (blow.kind === 'delay') this.#hold(passedOn, blow.ms);
    else cut();
  }

  #hold(message: Buffer, ms: number): void {
    this.#held = setTimeout(() => {
      this.#held = null;
      pass(message, this.#client, this.#browser);
      this.#goOn();
    }, ms);
  }
}

/** Passes a message on. While the other does not read, no more is taken from the one. */
function pass(message: Buffer, from: WebSocket, to: WebSocket): void {
  if (to.readyState !== WebSocket.OPEN) return;
  to.send(message, { binary: false }, () => {
    resumeWhenRead(from, to);
  });
  if (to.bufferedAmount > MAX_UNREAD_BYTES) from.pause();
}

function resumeWhenRead(from: WebSocket, to: WebSocket): void {
  if (from.isPaused && to.bufferedAmount <= MAX_UNREAD_BYTES) from.resume();
}

function refuse(client: WebSocket, { id, sessionId }: Command, why: string): void {
  const error = { code: -32_000, message: `refused by Touchstone: ${why}` };
  client.send(JSON.stringify({ id, error, sessionId }));
  // It reads none of what it is told, and goes on.
  if (client.bufferedAmount > MAX_UNREAD_BYTES) client.terminate();
}

function endTogether(one: WebSocket, other: WebSocket): void {
  for (const [ending, left] of [
    [one, other],
    [other, one],
  ] as const) {
    ending.on('close', () => {
      left.terminate();
    });
    // Its end is an event of its own.
    ending.on('error', () => {});
  }
}

function bytesOf(data: WebSocket.RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
}
