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
  /** Stored trials of a task do not match the hash in its proof, and so are made again. */
  notUsed(task: string, problem: string): void;
  begun(ahead: Ahead): void;
  finished(row: Row, left: TimeLeft, facts: TrialFacts): void;
  /** The solution of a task never passed, so its other trials would prove nothing. */
  leftOut(task: string, count: number): void;
}

/** Counts the trials that are left, and estimates their time from finished ones, or from those of earlier proofs. */
export class TimeLeft {
  readonly #earlier: readonly number[];
  readonly #measured: number[] = [];

  trials: number;
  workers: number;

  /** @param earlier times of trials of the same suite, in ms */
  constructor(trials: number, earlier: readonly number[], workers: number) {
    this.trials = trials;
    this.#earlier = earlier;
    this.workers = workers;
  }

  /** Returns ms; null until a trial was measured. */
  get ms(): number | null {
    const known = this.#measured.length > 0 ? this.#measured : this.#earlier;
    if (known.length === 0) return null;
    const mean = known.reduce((sum, each) => sum + each, 0) / known.length;
    return (mean * this.trials) / this.workers;
  }

  finish(ms: number): void {
    this.trials -= 1;
    this.#measured.push(ms);
  }

  /** Takes off trials that are not made, or were made by a run that ended early. */
  drop(count: number): void {
    this.trials -= count;
  }
}
