import type { Row } from '../bundle/row.ts';

/** The work ahead on the trials of a suite. */
export interface Ahead {
  /** Names of the tasks that were asked for and are proved already. */
  proved: string[];
  /** Names of those that are tried now. */
  tried: string[];
  /** Number of trials that were made before, and are judged again without a browser. */
  stored: number;
  left: TimeLeft;
}

/** Facts about a trial beside its row. */
export interface TrialFacts {
  /** Its steps, in words; null if its name describes them. */
  does: string | null;
  /** The first step of a solution that failed, in words; null where none did. */
  failedStep: string | null;
}

/** Is told how trials go, as they go. */
export interface QualifyListener {
  /** Stored trials of a task have another hash than its proof names, and so are made again. */
  notUsed(task: string, problem: string): void;
  begun(ahead: Ahead): void;
  finished(row: Row, left: TimeLeft, facts: TrialFacts): void;
  /** The solution of a task never passed, so that so many of its trials would say nothing. */
  leftOut(task: string, count: number): void;
}

/** A trial that is still to be made, and how long it took when it was made before, in ms; null when it never was. */
export interface Due {
  task: string;
  id: string;
  ms: number | null;
}

/** Estimates the time for the trials that are left, from the times of earlier proofs and of those that are done. */
export class TimeLeft {
  readonly #due: Due[];
  readonly #earlier: readonly number[];
  readonly #measured: number[] = [];

  /** Number of trials that run at once. */
  workers: number;

  /** @param earlier times of trials of the same suite, in ms */
  constructor(due: readonly Due[], earlier: readonly number[], workers: number) {
    this.#due = [...due];
    this.#earlier = earlier;
    this.workers = workers;
  }

  get trials(): number {
    return this.#due.length;
  }

  /** Returns ms; null while nothing like it was ever measured. */
  get ms(): number | null {
    if (this.#due.every(({ ms }) => ms !== null)) return sum(this.#due.map(({ ms }) => ms ?? 0)) / this.workers;
    const known = this.#measured.length > 0 ? this.#measured : this.#earlier;
    if (known.length === 0) return null;
    const mean = sum(known) / known.length;
    return sum(this.#due.map(({ ms }) => ms ?? mean)) / this.workers;
  }

  /** Notes that a trial is done, and how long it took, in ms. */
  finish(task: string, id: string, ms: number): void {
    if (this.#drop((due) => due.task === task && due.id === id)) this.#measured.push(ms);
  }

  /** Notes that a trial was done already, in a run that was ended early. */
  skip(task: string, id: string): void {
    this.#drop((due) => due.task === task && due.id === id);
  }

  /** Notes that what is left of a task's trials will not be made. */
  leaveOut(task: string): void {
    while (this.#drop((due) => due.task === task));
  }

  #drop(isIt: (due: Due) => boolean): boolean {
    const at = this.#due.findIndex(isIt);
    if (at !== -1) this.#due.splice(at, 1);
    return at !== -1;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
