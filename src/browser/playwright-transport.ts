import type { ConnectOverCDPTransport } from 'playwright-core';
import { z } from 'zod';
import { errorReply, holdsMoreThan, idOf, sessionOf } from './envelope.ts';
import type { Guest } from './guest.ts';
import type { Switchboard } from './switchboard.ts';

const Sent = z.object({
  id: z.int(),
  method: z.string(),
  params: z.custom<object>((value) => typeof value === 'object').default({}),
  sessionId: z.string().optional(),
});

/** Most values of a reply and of an event: Playwright takes some 5 µs for each, on the thread of all episodes. */
const MAX_VALUES = 50_000;
const MAX_EVENT_VALUES = 2_000;
/** Most messages that may wait before output of pages is dropped, which nothing of ours reads. */
const MAX_WAITING = 256;
const PRINTED = Buffer.from('{"method":"Runtime.consoleAPICalled"');
/** A snapshot has some 20 for each element, and Playwright leaves them as they are. */
const SNAPSHOT = { method: 'DOMSnapshot.captureSnapshot', maxValues: 2_000_000 };

/** Chromium's own words for a value that cannot be returned: Playwright takes any others for the end of the page's document. */
const TOO_LARGE = 'Object reference chain is too long';

/** Playwright as a guest on our line to the browser, so that it needs no port. */
export class PlaywrightTransport implements ConnectOverCDPTransport {
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
  readonly #switchboard: Switchboard;
  /** Commands for a snapshot that wait for it. */
  readonly #snapshots = new Set<number>();
  readonly #waiting: Buffer[] = [];
  #guest: Guest | null = null;
  #isClosed = false;

  private constructor(switchboard: Switchboard) {
    this.#switchboard = switchboard;
  }

  /** @throws BrowserError when the browser lets no guest in. */
  static async to(switchboard: Switchboard): Promise<PlaywrightTransport> {
    const transport = new PlaywrightTransport(switchboard);
    transport.#guest = await switchboard.admit({
      onMessage: (message) => {
        transport.#hand(message);
      },
      onEnd: () => {
        transport.#end();
      },
      onRoom: () => {},
    });
    return transport;
  }

  send(message: object): void {
    const { params, ...command } = Sent.parse(message);
    if (command.method === SNAPSHOT.method) this.#snapshots.add(command.id);
    this.#guest?.send({ ...command, params: JSON.stringify(params) });
  }

  close(): void {
    void this.#guest?.leave();
    this.#end();
  }

  #hand(received: Buffer): void {
    const message = this.#bounded(received);
    if (message === null) return;
    this.#waiting.push(message);
    if (this.#waiting.length === 1) setImmediate(this.#handNext);
  }

  /** Each in its own turn, so that the effects of one message, and all other work, go on before the next. */
  readonly #handNext = (): void => {
    const message = this.#waiting.shift();
    if (this.#isClosed || message === undefined) return;
    if (this.#waiting.length > 0) setImmediate(this.#handNext);
    try {
      this.onmessage?.(JSON.parse(message.toString('utf8')));
    } catch (error) {
      this.#switchboard.fail(error, message);
    }
  };

  /** Puts an error in the place of a reply with too many values; null for an event that is not passed on. */
  #bounded(message: Buffer): Buffer | null {
    const id = idOf(message);
    if (id === null) {
      const isPrinted = message.subarray(0, PRINTED.length).equals(PRINTED);
      const isDropped = (isPrinted && this.#waiting.length > MAX_WAITING) || holdsMoreThan(message, MAX_EVENT_VALUES);
      return isDropped ? null : message;
    }
    const most = this.#snapshots.delete(id) ? SNAPSHOT.maxValues : MAX_VALUES;
    if (!holdsMoreThan(message, most)) return message;
    return errorReply(id, sessionOf(message), `${TOO_LARGE}: more than ${most} values`);
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }
}
