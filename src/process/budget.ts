interface BudgetOptions {
  perSecond: number;
  burst: number;
}

/** A token bucket. It may be overdrawn: the caller learns that afterwards, and pauses until the debt is paid. */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #waiting: (() => void)[] = [];
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

  /** Number of callers that wait until something may be spent. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Calls once, when something may be spent; callers take turns, and each may spend before the next. */
  whenRefilled(call: () => void): void {
    this.#waiting.push(call);
    this.#wait();
  }

  async room(amount = 0): Promise<void> {
    if (this.isSpent)
      await new Promise<void>((resolve) => {
        this.whenRefilled(() => {
          this.spend(amount);
          resolve();
        });
      });
    else this.spend(amount);
  }

  #wait(): void {
    const debt = Math.max(0, -this.#left);
    this.#timer ??= setTimeout(
      () => {
        this.#timer = null;
        while (!this.isSpent && this.#waiting.length > 0) this.#waiting.shift()?.();
        if (this.#waiting.length > 0) this.#wait();
      },
      Math.ceil((debt / this.#options.perSecond) * 1_000),
    );
    this.#timer.unref();
  }

  #refill(): void {
    const now = performance.now();
    const { perSecond, burst } = this.#options;
    this.#left = Math.min(burst, this.#left + ((now - this.#countedAt) / 1_000) * perSecond);
    this.#countedAt = now;
  }
}
