import type { Row } from '../bundle/row.ts';
import type { TimeLeft } from './time-left.ts';

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
  /** Its deed, in words; null where its name tells that. */
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
