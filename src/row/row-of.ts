import { finishRow, recoveredOf, type Row, type Unhashed, MEASURED_FIELDS } from '../bundle/row.ts';
import { faultAtStart, pathInTask, progressOf, type TaskJudgement } from '../contract/judge-task.ts';
import { statusOf } from '../contract/status.ts';
import { faultStates } from '../fault/fault-record.ts';
import { neverArmed } from '../plan/possible-pair.ts';
import { type Attempt, knownBefore } from './attempt.ts';
import { judgementAt, type Recorded } from './recorded.ts';
import { effortOf, rounded, drivesItself } from './row-effort.ts';
import { MAX_DETAIL_LENGTH, fieldsWith } from '../bundle/row-fields.ts';
import type { FailureCategory } from '../bundle/row-words.ts';
import { targetFigures } from '../episode/target-ledger.ts';
import { pinned } from '../plan/pins.ts';

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

/** As much of a stop's detail as a row holds; events.jsonl has the whole. */
export function shortDetail(detail: string | null): string | null {
  if (detail === null || detail.length <= MAX_DETAIL_LENGTH) return detail;
  return `${detail.slice(0, MAX_DETAIL_LENGTH - 1)}…`;
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
    ...milestonesOf(attempt, recorded),
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

/** Empty if the task has none, or the episode never ran. */
function milestonesOf({ episode }: Attempt, recorded: Recorded): Pick<Row, 'milestones'> {
  const { milestones } = episode.planned.task;
  if (milestones === undefined || recorded.last.stop === undefined) return {};
  const [start, end] = [judgementAt(recorded, 'start'), judgementAt(recorded, 'end')];
  return { milestones: progressOf(milestones, { start, end }) };
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

const NO_MODEL = 'no model decided';
const NO_PRICE = 'no table of prices has this model';
const NOT_REACHED = 'the episode ended before the agent acted';
const NOT_COUNTED = 'the tools of this surface may take script, and no gateway stands between to count it';
const UNCHECKED = 'nobody has checked which calls of this surface are a short way';
const NO_ARCHIVE = 'the world is not an archive';
const NOT_SERVED = 'not served from /nac3/ of the world, or not the same each time';
const NO_GATEWAY = 'the surface works without the gateway';
const CASSETTE = 'recorded replies were read from a file';
const DRIVES_ITSELF = 'the agent drives the browser itself; what it says of its steps is in self_reported';

const SPENT: readonly string[] = fieldsWith('spent');
const UNSEEN: readonly string[] = fieldsWith('unseen');

/** Why each measured field of a row is null, if it is; and parts of a NAC3 runtime that were not served. */
function reasonsFor(row: Unhashed, attempt: Attempt, recorded: Recorded): Record<string, string> {
  const { impossible } = recorded.last;
  const reason =
    impossible === undefined
      ? (field: string) => reasonOf(field, row, attempt, recorded)
      : () => `${impossible.status.replace('_', ' ')}: ${impossible.why}`;
  const optional = row.runtime_version === null ? [] : ['runtime_hash', 'manifest_checksum'];
  const values = new Map<string, unknown>(Object.entries(row));
  const missing = [...MEASURED_FIELDS, ...optional].filter((field) => values.get(field) === null);
  return Object.fromEntries(missing.map((field) => [field, reason(field)]));
}

function reasonOf(field: string, row: Unhashed, { campaign, episode }: Attempt, recorded: Recorded): string {
  const { acted } = recorded.last;
  if (
    acted !== undefined &&
    UNSEEN.includes(field) &&
    drivesItself(pinned(campaign.pins.surfaces, episode.surface, 'traits'))
  )
    return DRIVES_ITSELF;
  if (SPENT.includes(field)) return reasonOfSpent(field, row);
  if (field === 'runtime_hash' || field === 'manifest_checksum') return NOT_SERVED;
  if (field === 'cdp_commands') return NO_GATEWAY;
  if (acted === undefined) return NOT_REACHED;
  if (field === 'target_classes' || field === 'hallucination')
    return targetFigures(recorded.targets, row.status === 'passed').why ?? NOT_REACHED;
  return OF_WHO_ACTED[field] ?? NOT_REACHED;
}

const OF_WHO_ACTED: Readonly<Record<string, string>> = {
  off_archive: NO_ARCHIVE,
  shortcut_calls: UNCHECKED,
  script_calls: NOT_COUNTED,
};

function reasonOfSpent(field: string, { decider, endpoint_kind: endpoint, turns }: Unhashed): string {
  if (field === 'model_ms' && endpoint === 'cassette') return CASSETTE;
  if (turns !== null && (field === 'cost_usd' || field === 'price_table')) return NO_PRICE;
  return decider === 'model' ? NOT_REACHED : NO_MODEL;
}
