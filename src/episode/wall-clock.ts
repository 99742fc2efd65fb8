/** Time for an agent to begin, in ms. */
export const BEGIN_MS = 30_000;

/**
 * The time of an agent that drives by itself: from the start of its process to its last word. What is made ready before
 * and cleared away afterwards is ours, and neither counted nor capped as the agent's.
 */
export class WallClock {
  readonly #capMs: number;
  readonly #timeUp: (why: 'no start' | 'cap') => void;
  #timer: NodeJS.Timeout;
  #begun: number | null = null;
  #ended: number | null = null;

  /** @param timeUp called once: when the agent did not begin within {@link BEGIN_MS}, or at the cap */
  constructor(capMs: number, timeUp: (why: 'no start' | 'cap') => void) {
    this.#capMs = capMs;
    this.#timeUp = timeUp;
    this.#timer = setTimeout(() => {
      timeUp('no start');
    }, BEGIN_MS);
  }

  /** Whoever begins again gains no time. */
  begin(): void {
    if (this.#begun !== null || this.#ended !== null) return;
    clearTimeout(this.#timer);
    this.#begun = performance.now();
    this.#timer = setTimeout(() => {
      this.#timeUp('cap');
    }, this.#capMs);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#ended ??= performance.now();
  }

  /** Between its start and its end, in ms; 0 when it never began. */
  get ms(): number {
    return this.#begun === null ? 0 : (this.#ended ?? performance.now()) - this.#begun;
  }
}
