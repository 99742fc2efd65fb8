interface BudgetOptions {
  /** Units a second, in the long run. */
  perSecond: number;
  /** Units at once. */
  burst: number;
}

/** A token bucket. It may be overdrawn: the caller learns that afterwards, and pauses until the debt is paid. */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #waiting = new Set<() => void>();
  #left: number;
  #countedAt = performance.now();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.#left = options.burst;
  }

  spend(amount: number): void {
    this.#refill();
    this.#left -= amount;
  }

  get isSpent(): boolean {
    this.#refill();
    return this.#left < 0;
  }

  /** Calls once, when something may be spent again. */
  whenRefilled(call: () => void): void {
    this.#waiting.add(call);
    const debt = Math.max(0, -this.#left);
    this.#timer ??= setTimeout(
      () => {
        this.#timer = null;
        const calls = [...this.#waiting];
        this.#waiting.clear();
        for (const each of calls) {
          if (this.isSpent) this.whenRefilled(each);
          else each();
        }
      },
      Math.ceil((debt / this.#options.perSecond) * 1_000),
    );
    this.#timer.unref();
  }

  /** Resolves when something may be spent. */
  async room(): Promise<void> {
    if (this.isSpent)
      await new Promise<void>((resolve) => {
        this.whenRefilled(resolve);
      });
  }

  #refill(): void {
    const now = performance.now();
    const { perSecond, burst } = this.#options;
    this.#left = Math.min(burst, this.#left + ((now - this.#countedAt) / 1_000) * perSecond);
    this.#countedAt = now;
  }
}
