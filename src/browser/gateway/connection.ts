import { WebSocket } from 'ws';
import type { Guest } from '../guest.ts';
import type { Switchboard } from '../switchboard.ts';
import type { Backlog } from './backlog.ts';
import { type CdpCommand, commandIn } from './command.ts';
import type { CommandLog } from './command-log.ts';
import { refusalOf, withoutDownloads } from './command-policy.ts';
import { type Denial, windowDenialOf } from './window-of-target.ts';

export const MAX_COMMAND_BYTES = 100 * 1024 * 1024;
/** WebSocket's code for data of a kind that is not taken. */
const UNSUPPORTED_DATA = 1003;

export interface ConnectionOptions {
  switchboard: Switchboard;
  /** The target that the client has asked for; null for the browser itself. */
  targetId: string | null;
  log: CommandLog;
  unread: Backlog;
  /** Bytes that have come from clients and are not passed on yet, parts of commands too. */
  untaken: Backlog;
  /** The pages that clients have asked for, by target id. */
  opened: Set<string>;
  /** Whether a page of this id is open in the browser. */
  hasPage: (id: unknown) => boolean;
}

/**
 * Joins a client and the browser: each hears the other, and the end of one is the end of both. What a client says is passed on
 * in order, as it was understood here; what the browser says, as it is. Who sends more than the browser takes is waited for; who
 * does not read is cut off, since the line to the browser is not the client's alone.
 */
export class Connection {
  readonly #client: WebSocket;
  readonly #options: ConnectionOptions;
  /** Messages of the client that nobody has looked at yet. */
  readonly #waiting: Buffer[] = [];
  /** Settled once the client is let in to the browser, or is not. */
  readonly #admission: Promise<Guest | null>;
  #guest: Guest | null = null;

  constructor(client: WebSocket, options: ConnectionOptions) {
    this.#client = client;
    this.#options = options;
    client.on('message', (data, isBinary) => {
      if (isBinary) {
        client.close(UNSUPPORTED_DATA, 'commands are text');
        return;
      }
      this.#waiting.push(bytesOf(data));
      this.#tellWaiting();
      this.#goOn();
    });
    client.on('close', () => {
      this.#waiting.length = 0;
      this.#tellWaiting();
      void this.end();
    });
    // Its end is an event of its own.
    client.on('error', () => {});
    this.#admission = this.#enter();
  }

  /** Called by the gateway: so many bytes have come, of a command that may not be whole yet. */
  comes(bytes: number): void {
    this.#options.untaken.grow(this.#client, bytes);
  }

  #tellWaiting(): void {
    const waiting = this.#waiting.reduce((total, { length }) => total + length, 0);
    this.#options.untaken.set(this.#client, waiting);
  }

  /** Ends the connection. Resolves when the browser has ended what the client had begun in it. */
  async end(): Promise<void> {
    this.#client.terminate();
    await (await this.#admission)?.leave();
  }

  async #enter(): Promise<Guest | null> {
    const { switchboard, targetId, opened } = this.#options;
    try {
      const guest = await switchboard.admit(
        {
          onMessage: (message) => {
            this.#say(message);
          },
          onEnd: () => {
            this.#client.close();
          },
          onRoom: () => {
            this.#goOn();
          },
          onOpened: (id) => opened.add(id),
        },
        targetId,
      );
      this.#guest = guest;
      this.#goOn();
      return guest;
    } catch {
      this.#client.terminate();
      return null;
    }
  }

  #goOn(): void {
    while (this.#guest?.hasRoom === true) {
      const message = this.#waiting.shift();
      if (message === undefined) break;
      this.#tellWaiting();
      try {
        this.#take(message, this.#guest);
      } catch {
        // A message that cannot be read is not passed on, and ends no more than the client that sent it.
        this.#client.terminate();
        return;
      }
    }
    // Messages that have come in already still arrive; nothing after that.
    if (this.#waiting.length > 0) this.#client.pause();
    else if (this.#client.isPaused) this.#client.resume();
  }

  #take(message: Buffer, guest: Guest): void {
    const { log, hasPage } = this.#options;
    const command = commandIn(message.toString('utf8'));
    // A message that is no command: the browser would only complain of it.
    if (command === null) return;
    const refusal = refusalOf(command);
    if (refusal !== null) {
      log.note(command, refusal);
      this.#deny(command, { code: -32_000, message: `refused by Touchstone: ${refusal.why}` });
      return;
    }
    const denial = windowDenialOf(command, hasPage);
    log.note(command, denial === null ? null : { why: denial.message, isViolation: false });
    if (denial === null) guest.send(withoutDownloads(command) ?? command);
    else this.#deny(command, denial);
  }

  #deny({ id, sessionId }: CdpCommand, error: Denial): void {
    this.#say(Buffer.from(JSON.stringify({ id, error, sessionId })));
  }

  #say(message: Buffer): void {
    if (this.#client.readyState !== WebSocket.OPEN) return;
    const { unread } = this.#options;
    unread.grow(this.#client, message.length);
    this.#client.send(message, { binary: false }, () => {
      unread.grow(this.#client, -message.length);
    });
  }
}

function bytesOf(data: WebSocket.RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
}
