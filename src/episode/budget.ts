/** Sums of decimal fractions may differ by so much from what they are, in USD. */
const ROUNDING = 1e-9;

/** Ends a reservation by what was spent of it, in USD; 0 if nothing was. A second call changes nothing. */
export type Settle = (usd: number) => void;

/**
 * The money of a campaign, in USD, which all of its episodes share. Each call holds the most that it can cost until it is
 * answered, so that those under way together do not pass the cap. A reply whose price is not known takes nothing out of it.
 */
export class MoneyBudget {
  readonly #cap: number;
  #spent: number;
  /** The most that calls under way can cost, and how many these are. */
  #held = 0;
  #calls = 0;
  readonly #waiting = new Set<() => void>();

  /** @param spent by earlier runs of the same campaign */
  constructor(cap: number, spent = 0) {
    this.#cap = cap;
    this.#spent = spent;
  }

  /** States that nothing is left, and of how much; null while something is. */
  get empty(): string | null {
    return this.#spent < this.#cap ? null : this.spent;
  }

  /** States how much is spent of the cap. */
  get spent(): string {
    return `${Number(this.#spent.toFixed(4))} of ${this.#cap} USD are spent`;
  }

  /**
   * Resolves when a call may be made: when the most that it can cost is left beside what others hold, or when no other is under
   * way. So one reply may pass the cap, and never two. It also resolves once nothing is left, as {@link empty} says then.
   * @throws whatever the signal was fired with
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
   * @returns null if the rest does not cover it, and nothing under way can give some of it back
   */
  async cover(usd: number, signal: AbortSignal): Promise<Settle | null> {
    const settle = await this.reserve(usd, signal);
    if (this.#spent + this.#held <= this.#cap + ROUNDING) return settle;
    settle(0);
    return null;
  }

  /** Takes out what no call has held. */
  take(usd: number): void {
    this.#spent += usd;
  }

  /** A call that costs nothing waits for nobody; {@link empty} says what is spent. */
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
