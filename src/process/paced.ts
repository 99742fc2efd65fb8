import type { Readable } from 'node:stream';
import type { Budget } from './budget.ts';

/** Most messages that are handled before everything else has its turn. */
const MAX_AT_ONCE = 64;
/** Longest time, in ms, that they are handled before everything else has its turn. */
const MAX_MS_AT_ONCE = 10;
/** Cost of a message, in bytes of the budget, however short it is. */
const MIN_COST = 2 * 1024;
/** Cost of each millisecond that it takes to handle, likewise: of a budget of 8 MB a second, a quarter of the time. */
const COST_PER_MS = 32 * 1024;

/**
 * Hands on what a stream brings, within a budget, and a little at a time: one that brings more than that is not read further, and
 * holds up no other.
 */
export class Paced<Message> {
  readonly #stream: Pick<Readable, 'pause' | 'resume'>;
  readonly #budget: Budget;
  readonly #hand: (message: Message) => void;
  #waiting: Message[] = [];
  #isScheduled = false;
  #isStopped = false;
  #onIdle: (() => void)[] = [];

  constructor(stream: Pick<Readable, 'pause' | 'resume'>, budget: Budget, hand: (message: Message) => void) {
    this.#stream = stream;
    this.#budget = budget;
    this.#hand = hand;
  }

  /** @param bytes the length of the chunk in which these messages ended */
  take(messages: readonly Message[], bytes: number): void {
    if (this.#isStopped) return;
    this.#budget.spend(bytes);
    for (const message of messages) this.#waiting.push(message);
    if (!this.#isScheduled) this.#drain();
  }

  /** Resolves when all that was taken is handed on. */
  async idle(): Promise<void> {
    if (this.#waiting.length > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** Forgets what waits, and reads no message any more. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting = [];
    this.#drain();
  }

  #handSome(): void {
    const begun = performance.now();
    let handed = 0;
    let tookMs = 0;
    for (const message of this.#waiting.slice(0, MAX_AT_ONCE)) {
      this.#hand(message);
      handed += 1;
      tookMs = performance.now() - begun;
      if (tookMs > MAX_MS_AT_ONCE) break;
    }
    this.#waiting.splice(0, handed);
    this.#budget.spend(handed * MIN_COST + tookMs * COST_PER_MS);
  }

  #drain(): void {
    this.#isScheduled = false;
    if (!this.#budget.isSpent) this.#handSome();
    if (this.#waiting.length === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
    const isSpent = this.#budget.isSpent && !this.#isStopped;
    if (this.#waiting.length === 0 && !isSpent) {
      this.#stream.resume();
      return;
    }
    this.#stream.pause();
    this.#isScheduled = true;
    const goOn = (): void => {
      this.#drain();
    };
    if (isSpent) this.#budget.whenRefilled(goOn);
    else setImmediate(goOn);
  }
}
