import type { Duplex } from 'node:stream';
import { addressInRow, MAX_REFUSED, type RefusedRequest } from '../contract/refused-request.ts';

/** Methods that a page uses to look at things, and may hold open for as long as it likes. */
const LOOKING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A request that may change something. */
interface Change {
  hasReachedApp: boolean;
}

/** A request that is refused, by its whole address. */
export type RefusedOnce = Omit<RefusedRequest, 'times'>;

/** Follows a request from when it comes in. */
interface Followed {
  reachesApp(): void;
  /** Called when the app has answered, or never will. */
  ends(): void;
}

const NOT_FOLLOWED: Followed = { reachesApp: () => {}, ends: () => {} };

/** Counts the requests that browsers send into a world by one way in, and ends them. */
export class Traffic {
  #sent = 0;
  #refused = 0;
  readonly #named = new Map<string, RefusedRequest>();
  readonly #changes = new Set<Change>();
  #isCut = false;
  readonly #waiting = new Set<() => void>();
  readonly #held = new Set<Duplex>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Rises with each request and each message over a WebSocket. */
  get sent(): number {
    return this.#sent;
  }

  /** Requests for addresses outside the world. */
  get refused(): number {
    return this.#refused;
  }

  /** Requests that may change something yet: those without an answer, and after the cut those of them that had reached an app. */
  get unanswered(): number {
    return this.#changes.size;
  }

  /** Whether nothing is let in any more. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Keeps a WebSocket, which ends at the cut: its messages have no answer to wait for. */
  hold(socket: Duplex): void {
    this.#held.add(socket);
    socket.once('close', () => this.#held.delete(socket));
  }

  /** The first different ones, in their order. */
  get named(): RefusedRequest[] {
    return [...this.#named.values()];
  }

  refuse({ as, why, ...request }: RefusedOnce): void {
    this.#refused += 1;
    const address = addressInRow(request.address);
    const key = `${as} ${why} ${address}`;
    const times = (this.#named.get(key)?.times ?? 0) + 1;
    if (times > 1 || this.#named.size < MAX_REFUSED) this.#named.set(key, { address, as, why, times });
    this.#onChange();
  }

  /** Counts something that needs no answer. */
  note(): void {
    this.#sent += 1;
    this.#onChange();
  }

  begin(method: string): Followed {
    const change: Change = { hasReachedApp: false };
    this.#sent += 1;
    if (!LOOKING.has(method)) this.#changes.add(change);
    this.#onChange();
    if (LOOKING.has(method)) return NOT_FOLLOWED;
    return {
      reachesApp: () => {
        change.hasReachedApp = true;
      },
      ends: () => {
        this.#changes.delete(change);
        this.#onChange();
        if (this.#changes.size === 0) for (const look of this.#waiting) look();
      },
    };
  }

  /** Lets nothing in from now on, and waits until what may change something is answered, for at most this long, in ms. */
  async cut(limitMs: number): Promise<void> {
    this.#isCut = true;
    for (const socket of this.#held) socket.destroy();
    for (const change of this.#changes) if (!change.hasReachedApp) this.#changes.delete(change);
    this.#onChange();
    if (this.#changes.size === 0) return;
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
