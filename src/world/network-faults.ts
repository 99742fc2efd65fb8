import { compilePattern } from '../contract/pattern.ts';
import type { ArmedNetworkFault } from '../fault/schema.ts';

/** A request, and its place in the world's log. */
export interface StruckExchange {
  seq: number;
  method: string;
  url: string;
}

/** What befalls one request. */
export interface NetworkBlow {
  fault: ArmedNetworkFault;
  /** Ends every wait that is a part of it: what is left to come, comes at once. */
  signal: AbortSignal;
  /** It has been dealt out. */
  done: () => void;
}

/** Told when a fault strikes, each time, and when it strikes no more. */
export interface FaultListener {
  struck: (exchange: StruckExchange) => void;
  over: () => void;
}

/** What is to go wrong on the way to a world's apps, at requests that are named beforehand: the same run gives the same faults. */
export class NetworkFaults {
  #armed: Armed | null = null;

  /** One at a time; requests are counted from here. */
  arm(fault: ArmedNetworkFault, listener: FaultListener): void {
    this.disarm();
    this.#armed = new Armed(fault, listener);
  }

  /** Nothing strikes any more. What waits comes at once. */
  disarm(): void {
    this.#armed?.end();
    this.#armed = null;
  }

  /** What befalls a request that has come in; null: nothing. */
  strike(exchange: StruckExchange): NetworkBlow | null {
    return this.#armed?.strike(exchange) ?? null;
  }
}

class Armed {
  readonly #fault: ArmedNetworkFault;
  readonly #listener: FaultListener;
  readonly #isAimedAt: (url: string) => boolean;
  readonly #waits = new AbortController();
  #seen = 0;
  /** Runs from the first blow of a fault that lasts for a time. */
  #timer: NodeJS.Timeout | null = null;
  #isOver = false;

  constructor(fault: ArmedNetworkFault, listener: FaultListener) {
    this.#fault = fault;
    this.#listener = listener;
    this.#isAimedAt = fault.url === undefined ? () => true : compilePattern(fault.url);
  }

  strike(exchange: StruckExchange): NetworkBlow | null {
    const { method, nth, times, lasts_ms: lasts } = this.#fault;
    if (this.#isOver || !this.#isAimedAt(exchange.url)) return null;
    if (method !== undefined && method !== exchange.method) return null;
    this.#seen += 1;
    const inRow = this.#seen - nth;
    if (inRow < 0 || (inRow >= times && this.#timer === null)) return null;
    this.#listener.struck(exchange);
    if (lasts !== undefined) this.#timer ??= setTimeout(() => this.#over(), lasts);
    const isLast = lasts === undefined && inRow === times - 1;
    return { fault: this.#fault, signal: this.#waits.signal, done: () => (isLast ? this.#over() : undefined) };
  }

  end(): void {
    this.#isOver = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#waits.abort();
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener.over();
  }
}
