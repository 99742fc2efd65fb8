import type { Duplex } from 'node:stream';

/** Methods that a page uses to look at things, and may hold open for as long as it likes. */
const LOOKING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Counts the requests that browsers send into a world by one way in, and ends them. */
export class Traffic {
  #sent = 0;
  #unanswered = 0;
  #isCut = false;
  readonly #waiting = new Set<() => void>();
  readonly #held = new Set<Duplex>();

  /** Rises with each request, and with what is sent over a WebSocket. */
  get sent(): number {
    return this.#sent;
  }

  /** Requests that may change something, and have no answer yet. */
  get unanswered(): number {
    return this.#unanswered;
  }

  /** Whether nothing is let in any more. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Keeps a WebSocket, which ends at the cut: what is sent over it has no answer to wait for. */
  hold(socket: Duplex): void {
    this.#held.add(socket);
    socket.once('close', () => this.#held.delete(socket));
  }

  /** Notes that something was sent that nobody answers. */
  note(): void {
    this.#sent += 1;
  }

  /** Notes a request; the returned function notes that its app has answered it, or never will. */
  begin(method: string): () => void {
    this.#sent += 1;
    if (LOOKING.has(method)) return () => {};
    let isOpen = true;
    this.#unanswered += 1;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#unanswered -= 1;
      if (this.#unanswered === 0) for (const look of this.#waiting) look();
    };
  }

  /** Lets nothing in from now on, and waits until what may change something is answered, so long at most, in ms. */
  async cut(limitMs: number): Promise<void> {
    this.#isCut = true;
    for (const socket of this.#held) socket.destroy();
    if (this.#unanswered === 0) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, limitMs);
      this.#waiting.add(end);
    });
  }
}
