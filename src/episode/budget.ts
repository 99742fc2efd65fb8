/** Most rounding error of sums, in USD. */
const ROUNDING = 1e-9;

/** Ends a reservation with the USD that were spent. A second call changes nothing. */
export type Settle = (usd: number) => void;

/**
 * The money of a campaign, in USD, which its episodes share. Each call reserves the most that it can cost until it is answered, so
 * that simultaneous calls do not pass the cap together. A reply of unknown price takes nothing.
 */
export class MoneyBudget {
  readonly #cap: number;
  #spent: number;
  /** The most that open calls can cost, and their number. */
  #held = 0;
  #calls = 0;
  readonly #waiting = new Set<() => void>();

  /** @param spent by earlier runs of the same campaign */
  constructor(cap: number, spent = 0) {
    this.#cap = cap;
    this.#spent = spent;
  }

  /** States what is spent if nothing is left; null otherwise. */
  get empty(): string | null {
    return this.#spent < this.#cap ? null : this.spent;
  }

  /** States how much is spent of the cap. */
  get spent(): string {
    return `${Number(this.#spent.toFixed(4))} of ${this.#cap} USD are spent`;
  }

  /**
   * Resolves when the most that a call can cost is left, when no other call is open, or when nothing is left ({@link empty}). So one
   * reply may pass the cap, and never two.
   * @throws the reason of the signal
   */
  async reserve(most: number, signal: AbortSignal): Promise<Settle> {
    while (this.#isTooMuch(most)) await this.#change(signal);
    this.#held += most;
    this.#calls += 1;
    let isOpen = true;
    return (usd) => {
      if (!isOpen) return;
      isOpen = false;
      this.#calls -= 1;
      this.#held = this.#calls === 0 ? 0 : this.#held - most;
      this.take(usd);
      for (const look of this.#waiting) look();
    };
  }

  /**
   * Holds the allowance of an episode that runs in another process.
   * @returns null if the rest does not cover it, even once open calls have returned theirs
   */
  async cover(usd: number, signal: AbortSignal): Promise<Settle | null> {
    const settle = await this.reserve(usd, signal);
    if (this.#spent + this.#held <= this.#cap + ROUNDING) return settle;
    settle(0);
    return null;
  }

  /** Spends what was not reserved. */
  take(usd: number): void {
    this.#spent += usd;
  }

  #isTooMuch(most: number): boolean {
    return most > 0 && this.#calls > 0 && this.empty === null && this.#spent + this.#held + most > this.#cap;
  }

  async #change(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.delete(look);
        reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
      };
      const look = (): void => {
        this.#waiting.delete(look);
        signal.removeEventListener('abort', stop);
        resolve();
      };
      this.#waiting.add(look);
      signal.addEventListener('abort', stop);
    });
  }
}
