import type { ConnectOverCDPTransport } from 'playwright-core';
import { z } from 'zod';
import type { Guest } from './guest.ts';
import type { Switchboard } from './switchboard.ts';

const Sent = z.object({
  id: z.int(),
  method: z.string(),
  params: z.custom<object>((value) => typeof value === 'object').default({}),
  sessionId: z.string().optional(),
});

/** Playwright as a guest on our line to the browser, so that it needs no port. */
export class PlaywrightTransport implements ConnectOverCDPTransport {
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
  readonly #switchboard: Switchboard;
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
    this.#guest?.send({ ...command, params: JSON.stringify(params) });
  }

  close(): void {
    void this.#guest?.leave();
    this.#end();
  }

  /** Each in a turn of its own: what one message has set going is to go on before the next. */
  #hand(message: Buffer): void {
    setImmediate(() => {
      if (this.#isClosed) return;
      try {
        this.onmessage?.(JSON.parse(message.toString('utf8')));
      } catch (error) {
        this.#switchboard.fail(error, message);
      }
    });
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }
}
