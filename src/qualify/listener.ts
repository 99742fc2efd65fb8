import type { Row } from '../bundle/row.ts';

/** The work on a suite before its first trial. */
export interface Ahead {
  /** Tasks that were named and are proved already. */
  proved: string[];
  tried: string[];
  /** Number of earlier trials that are judged again without a browser. */
  stored: number;
  left: TimeLeft;
}

export interface TrialFacts {
  /** Its steps, in words; null if its name describes them. */
  does: string | null;
  /** The first step of a solution that failed, in words. */
  failedStep: string | null;
}

export interface QualifyListener {
  /** Stored trials of a task do not match the hash in its proof, so they are repeated. */
  notUsed(task: string, problem: string): void;
  begun(ahead: Ahead): void;
  finished(row: Row, left: TimeLeft, facts: TrialFacts): void;
  /** The solution of a task never passed, so its other trials would prove nothing. */
  leftOut(task: string, count: number): void;
}

/** Trials until the clock counts for half: it includes the time between trials, but at first mostly that of starting browsers. */
const HALF_BY_CLOCK = 10;

/** Counts the trials that are left, and estimates their time from the clock and from finished trials, or those of earlier proofs. */
export class TimeLeft {
  readonly #earlier: readonly number[];
  readonly #measured: number[] = [];
  readonly #workers: number;
  readonly #now: () => number;
  readonly #begun: number;

  trials: number;

  /** @param earlier times of trials of the same suite, in ms */
  constructor(trials: number, earlier: readonly number[], workers: number, now = () => performance.now()) {
    this.trials = trials;
    this.#earlier = earlier;
    this.#workers = workers;
    this.#now = now;
    this.#begun = now();
  }

  /** Returns ms; null until a trial was measured. */
  get ms(): number | null {
    const finished = this.#measured.length;
    const known = finished > 0 ? this.#measured : this.#earlier;
    if (known.length === 0) return null;
    const expected = known.reduce((sum, each) => sum + each, 0) / known.length / this.#workers;
    const passed = finished > 0 ? this.#now() - this.#begun : 0;
    return ((passed + expected * HALF_BY_CLOCK) / (finished + HALF_BY_CLOCK)) * this.trials;
  }

  finish(ms: number): void {
    this.trials -= 1;
    this.#measured.push(ms);
  }

  /** Subtracts trials that are not made, or were made by a run that ended early. */
  drop(count: number): void {
    this.trials -= count;
  }
}
