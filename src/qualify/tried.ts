import type { Evidence } from '../contract/evidence.ts';
import { faultAtStart, judgeTask, type TaskJudgement, whyInvalid } from '../contract/judge-task.ts';
import { type Status, statusOf, type Stop } from '../contract/status.ts';
import type { Verdict } from '../contract/verdict.ts';
import type { PlannedTask } from '../plan/plan.ts';

/** One episode of a trial before it is judged: the reason why it stopped, and what was captured; null where nothing was. */
export interface QualifyingTrial {
  stop: Stop;
  /** Why it stopped, in words; null when there is nothing to add. */
  detail: string | null;
  /** The first step of a solution that failed, in words, although the trial went on. */
  failedStep?: string;
  finalUrl: string | null;
  start: Evidence | null;
  end: Evidence | null;
}

/** The same, judged by the contracts of its task. */
export interface Tried extends QualifyingTrial {
  status: Status;
  /** Null where there is no end to be judged, as is `guard`. */
  goal: Verdict | null;
  guard: Verdict | null;
  /** The state that decided: the end, or the start of a trial that may not begin. */
  judged: TaskJudgement | null;
  /** The start, where it was captured. */
  judgedStart?: TaskJudgement | null;
}

/** Judges a trial by the contracts that its task has now, as an episode of it would be: one that may not begin has no end. */
export function judgeTrial(
  { task, screenshot_classes: screenshotClasses }: PlannedTask,
  trial: QualifyingTrial,
): Tried {
  const judged = (evidence: Evidence) => judgeTask(task, evidence, { screenshotClasses });
  const start = trial.start === null ? null : judged(trial.start);
  if (start !== null && faultAtStart(start) !== null) {
    const detail = whyInvalid(start);
    const none = { end: null, goal: null, guard: null };
    return { ...trial, stop: 'invalid_task', status: 'invalid_task', detail, ...none, judged: start };
  }
  const end = trial.end === null ? null : judged(trial.end);
  const { goal, guard } = end ?? { goal: null, guard: null };
  return { ...trial, status: statusOf(trial.stop, { goal, guard }), goal, guard, judged: end, judgedStart: start };
}
