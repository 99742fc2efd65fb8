/** The provider's status for too many requests, and how long others then leave it alone, in ms. */
const TOO_MANY = 429;
const TOO_MANY_MS = 1_000;
/** Answers, of each of those that may be asked at once, after which one more may be. */
const ANSWERS_FOR_MORE = 4;
const HELD = 'the provider asked for fewer calls';

/** The outcome of a call, as far as it sets the pace of the next. */
type Came = { reply: unknown } | { status: number | null; waitMs: number | null };

/** One question's place in the pace of its provider. */
interface PaceTicket {
  /** Resolves when a call may be sent. @throws what the signal was fired with, or what `pause` rejects with then */
  enter(waiting: Waiting): Promise<void>;
  /**
   * The call has ended.
   * @param came null: it was given up
   */
  leave(came: Came | null): void;
}

export interface Waiting {
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
  onHeld: (why: string) => void;
}

/** The ticket's part of what is known. */
interface Known {
  /** The time until which it has waited, or will wait by itself, in ms as `performance.now()` has it. */
  waitedUntil: number;
  /** Count of the provider's complaints at the time when it was last sent. */
  complaints: number;
}

/**
 * The pace of all calls of one provider by any worker of this process. When it reports too many, nobody
 * calls until the time that it asks for is over, and then one after the other; each answer lets a little more through.
 */
export class Pace {
  #underWay = 0;
  /** Most calls at once; none is known until the provider complains. */
  #most = Number.POSITIVE_INFINITY;
  #complaints = 0;
  #closedUntil = 0;
  #waiting: (() => void)[] = [];

  readonly #onComplaint: (ms: number) => void;

  /** @param onComplaint is called with the time for which the provider is to be left alone, in ms */
  constructor(onComplaint: (ms: number) => void = () => {}) {
    this.#onComplaint = onComplaint;
  }

  ticket(): PaceTicket {
    const known: Known = { waitedUntil: 0, complaints: 0 };
    return {
      enter: async (waiting) => await this.#enter(known, waiting),
      leave: (came) => this.#leave(known, came),
    };
  }

  async #enter(ticket: Known, { pause, signal, onHeld }: Waiting): Promise<void> {
    for (;;) {
      const [until, left] = [this.#closedUntil, this.#closedUntil - performance.now()];
      if (until > ticket.waitedUntil && left > 0) {
        onHeld(HELD);
        ticket.waitedUntil = until;
        await pause(left, signal);
      } else if (this.#underWay >= Math.floor(this.#most)) {
        onHeld(HELD);
        await this.#change(signal);
      } else break;
    }
    ticket.complaints = this.#complaints;
    this.#underWay += 1;
  }

  #leave(ticket: Known, came: Came | null): void {
    this.#underWay -= 1;
    if (came !== null && 'status' in came) this.#complained(ticket, came);
    else if (came !== null && ticket.complaints === this.#complaints) this.#most += 1 / (ANSWERS_FOR_MORE * this.#most);
    for (const look of this.#waiting.splice(0)) look();
  }

  #complained(ticket: Known, { status, waitMs }: Extract<Came, { status: unknown }>): void {
    if (waitMs !== null || status === TOO_MANY) this.#onComplaint(waitMs ?? TOO_MANY_MS);
    if (waitMs !== null) {
      ticket.waitedUntil = performance.now() + waitMs;
      this.#closedUntil = Math.max(this.#closedUntil, ticket.waitedUntil);
    }
    // Those that were under way together are turned away together: that is one complaint.
    if (status !== TOO_MANY || ticket.complaints < this.#complaints) return;
    this.#complaints += 1;
    this.#most = 1;
  }

  async #change(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => {
        this.#waiting = this.#waiting.filter((each) => each !== look);
        reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
      };
      const look = (): void => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      this.#waiting.push(look);
      signal.addEventListener('abort', stop);
    });
  }
}
