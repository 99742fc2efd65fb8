/** The status for too many requests, and the wait of other calls then, in ms. */
const TOO_MANY = 429;
const TOO_MANY_MS = 1_000;
/** Answers per concurrent call after which one more call is let through. */
const ANSWERS_FOR_MORE = 4;
const HELD = 'the provider asked for fewer calls';

type CallOutcome = { reply: unknown } | { status: number | null; waitMs: number | null };

interface PaceTicket {
  /** Resolves when a call may be sent. @throws the signal's reason, or what `pause` rejects with */
  enter(waiting: Waiting): Promise<void>;
  /** The call has ended. @param outcome null if it was given up */
  leave(outcome: CallOutcome | null): void;
}

export interface Waiting {
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
  onHeld: (why: string) => void;
}

interface Known {
  /** The time until which it has waited, or will wait by itself, as `performance.now()` has it. */
  waitedUntil: number;
  complaints: number;
}

/**
 * The pace of all calls of one provider in this process. When the provider reports too many, calls wait for as long as it asks, then go one
 * after the other; each answer lets a little more through.
 */
export class Pace {
  #underWay = 0;
  /** Most concurrent calls; unknown until the provider complains. */
  #most = Number.POSITIVE_INFINITY;
  #complaints = 0;
  #closedUntil = 0;
  #waiting: (() => void)[] = [];

  readonly #onComplaint: (ms: number) => void;

  /** @param onComplaint receives the time for which calls wait, in ms */
  constructor(onComplaint: (ms: number) => void = () => {}) {
    this.#onComplaint = onComplaint;
  }

  ticket(): PaceTicket {
    const known: Known = { waitedUntil: 0, complaints: 0 };
    return {
      enter: async (waiting) => await this.#enter(known, waiting),
      leave: (outcome) => this.#leave(known, outcome),
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

  #leave(ticket: Known, outcome: CallOutcome | null): void {
    this.#underWay -= 1;
    if (outcome !== null && 'status' in outcome) this.#complained(ticket, outcome);
    else if (outcome !== null && ticket.complaints === this.#complaints)
      this.#most += 1 / (ANSWERS_FOR_MORE * this.#most);
    for (const look of this.#waiting.splice(0)) look();
  }

  #complained(ticket: Known, { status, waitMs }: Extract<CallOutcome, { status: unknown }>): void {
    if (waitMs !== null || status === TOO_MANY) this.#onComplaint(waitMs ?? TOO_MANY_MS);
    if (waitMs !== null) {
      ticket.waitedUntil = performance.now() + waitMs;
      this.#closedUntil = Math.max(this.#closedUntil, ticket.waitedUntil);
    }
    // Calls that were under way together are rejected together: that is one complaint.
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
