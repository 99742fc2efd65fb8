/** The money of a campaign, in USD, which all of its episodes share. A reply whose price is not known takes nothing out of it. */
export class Purse {
  readonly #cap: number;
  #spent: number;

  /** @param spent by earlier runs of the same campaign */
  constructor(cap: number, spent = 0) {
    this.#cap = cap;
    this.#spent = spent;
  }

  /** Say that nothing is left, and of how much; null while something is. Looked at before each call, so one reply may pass the cap. */
  get empty(): string | null {
    return this.#spent < this.#cap ? null : `${Number(this.#spent.toFixed(4))} of ${this.#cap} USD are spent`;
  }

  take(usd: number): void {
    this.#spent += usd;
  }
}
