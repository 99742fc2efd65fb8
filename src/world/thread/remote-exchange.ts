import type { OpenExchange } from '../../fault/ports.ts';
import type { ExchangeAct, WorldReply, ResponseToSend } from './messages.ts';

/** A request that waits in the thread of its world, for a fault in this one. Responses of the app stay there. */
export class RemoteExchange implements OpenExchange {
  readonly #act: (act: ExchangeAct) => Promise<WorldReply>;
  readonly #wake: () => void;
  readonly #asked = new WeakMap<Response, number>();

  /** @param wake ends its pauses */
  constructor(act: (act: ExchangeAct) => Promise<WorldReply>, wake: () => void) {
    this.#act = act;
    this.#wake = wake;
  }

  async ask(): Promise<Response> {
    const { response } = await this.#act({ act: 'ask' });
    const standIn = new Response(null);
    if (response !== undefined) this.#asked.set(standIn, response);
    return standIn;
  }

  async send(response: Response): Promise<void> {
    await this.#act({ act: 'send', response: await this.#toSend(response) });
  }

  async sendInstead(response: Response): Promise<void> {
    await this.#act({ act: 'sendInstead', response: await this.#toSend(response) });
  }

  async sendHalf(response: Response): Promise<() => void> {
    await this.#act({ act: 'sendHalf', response: await this.#toSend(response) });
    return () => {
      this.#order({ act: 'sendRest' });
    };
  }

  async pause(ms: number, signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', this.#wake);
    if (signal.aborted) this.#wake();
    try {
      await this.#act({ act: 'pause', ms });
    } finally {
      signal.removeEventListener('abort', this.#wake);
    }
  }

  hangUp(): void {
    this.#order({ act: 'hangUp' });
  }

  reset(): void {
    this.#order({ act: 'reset' });
  }

  /** A thread that has ended meanwhile has ended the exchange, too. */
  #order(act: ExchangeAct): void {
    this.#act(act).catch(() => {});
  }

  async #toSend(response: Response): Promise<ResponseToSend> {
    const asked = this.#asked.get(response);
    if (asked !== undefined) return { asked };
    const body = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, headers: [...response.headers], body };
  }
}
