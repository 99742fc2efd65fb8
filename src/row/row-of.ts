import { finishRow } from '../bundle/finish-row.ts';
import { recoveredOf, type Row, type RowDraft } from '../bundle/row.ts';
import { shortDetail } from '../bundle/short-detail.ts';
import { faultAtStart, pathInTask, type TaskJudgement } from '../contract/judge-task.ts';
import { statusOf } from '../contract/status.ts';
import { faultStates } from '../fault/fault-record.ts';
import { neverArmed } from '../plan/planned-fault.ts';
import { type Attempt, knownBefore } from './attempt.ts';
import { failureCategoryOf } from './failure-category.ts';
import { judgementAt, type Recorded } from './recorded.ts';
import { effortOf, rounded } from './row-effort.ts';
import { reasonsFor } from './row-reasons.ts';

/**
 * Returns the row of an attempt: the one function for it, which writes the row when the attempt ends, and to which `verify` holds
 * the row later. All that a row says follows from the plan, the pins, the ledger and the events.
 * @throws ZodError when that comes to no row, as no attempt of ours does.
 */
export function rowOf(attempt: Attempt, recorded: Recorded): Row {
  const { stop: stopped, impossible } = recorded.last;
  const stop = stopped?.stop ?? null;
  const judged = judgementAt(recorded, 'end') ?? judgementAt(recorded, 'start');
  const { goal = null, guard = null } = judged ?? {};
  const status = stop === null ? (impossible?.status ?? 'not_applicable') : statusOf(stop, { goal, guard });
  const faults = recorded.faults.length === 0 ? neverArmed(attempt.episode.planned) : faultStates(recorded.faults);
  const effort = effortOf(attempt, recorded, status);
  const draft: RowDraft = {
    ...knownBefore(attempt, recorded, status),
    ...effort,
    ...authOf(attempt, recorded),
    status,
    stop,
    detail: shortDetail(stopped?.detail ?? null),
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

/** Returns how one was signed in; nothing where nobody had to be, or it did not come to that. */
function authOf({ episode }: Attempt, { last: { signed_in: signedIn } }: Recorded): Pick<RowDraft, 'auth'> {
  const { auth } = episode.planned.task;
  if (auth === undefined || signedIn === undefined) return {};
  if (auth.by !== 'stored_state') return { auth };
  return signedIn.setup_ms === null ? {} : { auth: { ...auth, setup_ms: rounded(signedIn.setup_ms) } };
}

/** Returns the assertion that decided against the entrant, or made the task invalid; null after a pass. */
function failedContract(judged: TaskJudgement | null, isInvalid: boolean): RowDraft['failed_contract'] {
  if (judged === null) return null;
  const decisive = isInvalid ? faultAtStart(judged) : judged.decisive;
  if (decisive === null) return null;
  const { kind, expected, observed } = decisive.leaf;
  return { path: pathInTask(decisive), kind, expected, observed };
}

function lastToolCall(call: Recorded['last']['call']): RowDraft['last_tool_call'] {
  if (call === undefined) return null;
  return { tool: call.tool, args: call.args_blob === null ? call.args : `too long for a row: blob ${call.args_blob}` };
}

function unsettledIn({ moments: { start, end } }: Recorded): boolean | null {
  if (start.judged === null) return null;
  return start.judged.unsettled || (end.judged?.unsettled ?? false);
}
