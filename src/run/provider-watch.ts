import type { InterruptedBy } from '../contract/status.ts';

/** Why a campaign stops before its end though nobody asked for it. What is finished stays, and a resume runs the rest. */
export interface Pause {
  cause: InterruptedBy;
  why: string;
}

/** Pauses a campaign when the provider of a model fails, instead of spending the rest of it on calls that come to nothing. */
export class ProviderWatch {
  readonly #most: number;
  #inARow = 0;
  #pause: Pause | null = null;
  readonly #paused = new AbortController();

  /** @param most failures in a row, over all cells, after which the campaign pauses */
  constructor(most: number) {
    this.#most = most;
  }

  /** The pause that was called for; null: none. Whoever runs beside begins nothing any more either. */
  get pause(): Pause | null {
    return this.#pause;
  }

  /** Fires with the pause. */
  get signal(): AbortSignal {
    return this.#paused.signal;
  }

  answered(): void {
    this.#inARow = 0;
  }

  /** Return the pause that a failure calls for; null: the attempt is made again. What will not change by itself is not tried again. */
  failed(failure: Pause): Pause | null {
    this.#inARow += 1;
    this.#pause ??= this.#calledForBy(failure);
    if (this.#pause !== null) this.#paused.abort();
    return this.#pause;
  }

  #calledForBy(failure: Pause): Pause | null {
    if (failure.cause !== 'outage') return failure;
    if (this.#inARow < this.#most) return null;
    return { ...failure, why: `${this.#inARow} failures of a provider in a row, the last: ${failure.why}` };
  }
}
