import { finishRow, recoveredOf, type Row, type Unhashed } from '../bundle/row.ts';
import { faultAtStart, pathInTask, type TaskJudgement } from '../contract/judge-task.ts';
import { statusOf } from '../contract/status.ts';
import { faultStates } from '../fault/fault-record.ts';
import { neverArmed } from '../plan/possible-pair.ts';
import { type Attempt, knownBefore } from './attempt.ts';
import { judgementAt, type Recorded } from './recorded.ts';
import { effortOf, rounded } from './row-effort.ts';
import { reasonsFor } from './row-reasons.ts';
import { wellFormed } from '../contract/strings.ts';
import { MAX_DETAIL_LENGTH } from '../bundle/row-fields.ts';
import type { FailureCategory } from '../bundle/row-words.ts';

export type EndedRow = Pick<Row, 'status' | 'stop' | 'guard_verdict' | 'steps'>;

/**
 * Why an attempt did not pass: the stop decides; after `done`, a broken guard, then whether anything was done, then whether the
 * last call failed. `none` after a pass; null if it never ran.
 */
export function failureCategoryOf({ status, stop, guard_verdict: guard, steps }: EndedRow, recorded: Recorded) {
  if (status === 'passed') return 'none';
  if (stop === null) return null;
  if (stop !== 'done') return categoryOfStop(stop, recorded.last.interrupted?.cause);
  if (status === 'inconclusive') return 'infra';
  if (guard === 'fail') return 'guard_broken';
  // The calls of an agent that drives the browser itself are invisible.
  if (steps === null) return 'wrong_end_state';
  if (!hasActed(recorded)) return 'over_claim';
  return recorded.steps.at(-1)?.ok === false ? 'tool_error' : 'wrong_end_state';
}

type Cause = NonNullable<Recorded['last']['interrupted']>['cause'];

function categoryOfStop(stop: Exclude<Row['stop'], 'done' | null>, cause: Cause | undefined): FailureCategory {
  switch (stop) {
    case 'gave_up':
    case 'timeout':
    case 'agent_error':
      return stop;
    case 'max_steps':
    case 'max_turns':
      return 'max_turns';
    case 'budget_exceeded':
      return 'budget';
    case 'replay_drift':
      return 'provider';
    case 'invalid_task':
      return 'infra';
    case 'infra_error':
      if (cause === undefined) return 'infra';
      return cause === 'budget' ? 'budget' : 'provider';
  }
}

/** Whether a successful call aimed at something in a page, or led to another address. */
function hasActed({ steps, targets, moments }: Recorded): boolean {
  const start = moments.start.judged?.url;
  return steps.some(({ ok, url }, place) => ok && (targets[place] !== null || url !== start));
}

/** As much of a stop's detail as a row holds; events.jsonl has the whole. A cut may leave half of a character. */
export function shortDetail(detail: string | null): string | null {
  if (detail === null || detail.length <= MAX_DETAIL_LENGTH) return detail;
  return wellFormed(`${detail.slice(0, MAX_DETAIL_LENGTH - 1)}…`);
}

/**
 * The row of an attempt: written when it ends, and what `verify` compares the row with. It follows from the plan, the pins, the
 * ledger and the events.
 * @throws ZodError if they do not make a valid row, which no attempt of ours causes.
 */
export function rowOf(attempt: Attempt, recorded: Recorded): Row {
  const { stop: stopped, impossible } = recorded.last;
  const stop = stopped?.stop ?? null;
  const judged = judgementAt(recorded, 'end') ?? judgementAt(recorded, 'start');
  const { goal = null, guard = null } = judged ?? {};
  const status = stop === null ? (impossible?.status ?? 'not_applicable') : statusOf(stop, { goal, guard });
  const faults = recorded.faults.length === 0 ? neverArmed(attempt.episode.planned) : faultStates(recorded.faults);
  const effort = effortOf(attempt, recorded, status);
  const draft: Unhashed = {
    ...knownBefore(attempt, recorded, status),
    ...effort,
    ...authOf(attempt, recorded),
    status,
    stop,
    detail: shortDetail(stopped?.detail ?? null),
    ...(stopped?.broke === undefined ? {} : { broke: stopped.broke }),
    goal_verdict: goal,
    guard_verdict: guard,
    failed_contract: failedContract(judged, stop === 'invalid_task'),
    failure_category: failureCategoryOf({ status, stop, guard_verdict: guard, steps: effort.steps }, recorded),
    declared_done: stop === 'done',
    answer: stopped?.answer ?? null,
    final_url: recorded.moments.end.judged?.url ?? null,
    last_tool_call: lastToolCall(recorded.last.call),
    unsettled: unsettledIn(recorded),
    faults,
    recovered: recoveredOf({ faults, status }),
    artifacts: recorded.artifacts,
    null_reasons: {},
  };
  return finishRow({ ...draft, null_reasons: reasonsFor(draft, attempt, recorded) });
}

/** Empty if no login was needed or reached. */
function authOf({ episode }: Attempt, { last: { signed_in: signedIn } }: Recorded): Pick<Row, 'auth'> {
  const { auth } = episode.planned.task;
  if (auth === undefined || signedIn === undefined) return {};
  if (auth.by !== 'stored_state') return { auth };
  return signedIn.setup_ms === null ? {} : { auth: { ...auth, setup_ms: rounded(signedIn.setup_ms) } };
}

/** The assertion that decided against the entrant, or made the task invalid; null after a pass. */
function failedContract(judged: TaskJudgement | null, isInvalid: boolean): Row['failed_contract'] {
  if (judged === null) return null;
  const decisive = isInvalid ? faultAtStart(judged) : judged.decisive;
  if (decisive === null) return null;
  const { kind, expected, observed } = decisive.leaf;
  return { path: pathInTask(decisive), kind, expected, observed };
}

function lastToolCall(call: Recorded['last']['call']): Row['last_tool_call'] {
  if (call === undefined) return null;
  return { tool: call.tool, args: call.args_blob === null ? call.args : `too long for a row: blob ${call.args_blob}` };
}

function unsettledIn({ moments: { start, end } }: Recorded): boolean | null {
  if (start.judged === null) return null;
  return start.judged.unsettled || (end.judged?.unsettled ?? false);
}
