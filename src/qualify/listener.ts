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

/** Is told how trials go, as they go. */
export interface QualifyListener {
  /** Stored trials of a task have another hash than its proof names, and so are made again. */
  notUsed(task: string, problem: string): void;
  begun(ahead: Ahead): void;
  /** @param failedStep the first step of a solution that failed, in words */
  finished(row: Row, left: TimeLeft, failedStep: string | null): void;
}
