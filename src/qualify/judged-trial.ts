import type { Evidence } from '../contract/evidence.ts';
import { faultAtStart, judgeTask, type TaskJudgement, whyInvalid } from '../contract/judge-task.ts';
import { type Status, statusOf, type Stop } from '../contract/status.ts';
import type { Verdict } from '../contract/verdict.ts';
import type { PlannedTask } from '../plan/plan.ts';
import type { TaskTrial, TrialKind } from './trials.ts';

/** The episode of a trial before it is judged. Evidence is null if nothing was captured. */
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

export interface JudgedTrial extends QualifyingTrial {
  trial: Pick<TaskTrial, 'id' | 'kind' | 'surface' | 'what'>;
  status: Status;
  /** Null if no end was judged, as is `guard`. */
  goal: Verdict | null;
  guard: Verdict | null;
  /** The state that decided: the end, or a start that made the task invalid. */
  judged: TaskJudgement | null;
  /** The start, if it was captured. */
  judgedStart?: TaskJudgement | null;
}

/** Judges a trial as an episode, by the task's present contracts: if the start makes the task invalid, the end is not judged. */
export function judgeTrial(
  { task, screenshot_classes: screenshotClasses }: PlannedTask,
  trial: JudgedTrial['trial'],
  seen: QualifyingTrial,
): JudgedTrial {
  const judged = (evidence: Evidence) => judgeTask(task, evidence, { screenshotClasses });
  const start = seen.start === null ? null : judged(seen.start);
  if (start !== null && faultAtStart(start) !== null) {
    const none = { end: null, goal: null, guard: null };
    const invalid = { stop: 'invalid_task', status: 'invalid_task', detail: whyInvalid(start) } as const;
    return { trial, ...seen, ...invalid, ...none, judged: start };
  }
  const end = seen.end === null ? null : judged(seen.end);
  const { goal, guard } = end ?? { goal: null, guard: null };
  return { trial, ...seen, status: statusOf(seen.stop, { goal, guard }), goal, guard, judged: end, judgedStart: start };
}

export function ofKind(tried: readonly JudgedTrial[], ...kinds: TrialKind[]): JudgedTrial[] {
  return tried.filter(({ trial }) => kinds.includes(trial.kind));
}
