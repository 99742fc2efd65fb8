/** Draws that depend on a seed alone (the generator mulberry32). */
export class Draws {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from `least` to `most`, both possible. */
  between(least: number, most: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return least + (((mixed ^ (mixed >>> 14)) >>> 0) % (most - least + 1));
  }

  /** All of them in another order. */
  shuffled<T>(all: readonly T[]): T[] {
    const keyed = all.map((value) => ({ value, key: this.between(0, 0xffff_fff) }));
    return keyed.toSorted((a, b) => a.key - b.key).map(({ value }) => value);
  }

  /** One of them. */
  one<T>(all: readonly T[]): T {
    const drawn = all[this.between(0, all.length - 1)];
    if (drawn === undefined) throw new Error('there is nothing to draw from');
    return drawn;
  }
}
