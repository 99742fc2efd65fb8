import type { Judgement } from '../contract/judgement.ts';
import { type TaskJudgement, taskJudgement } from '../contract/judge-task.ts';
import { blobsIn, type EventOf, type EventType, type Moment, RecordedEvent } from '../episode/events.ts';
import type { StepTrace } from '../episode/no-progress.ts';
import { addUp, NOTHING_REPORTED, type SelfReport } from '../episode/self-report.ts';
import type { TargetEntry } from '../episode/target-ledger.ts';
import type { FaultEvent } from '../fault/fault-record.ts';
import { checkSized } from '../bundle/json-file.ts';
import { readJsonLines } from '../bundle/jsonl.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { AttemptKey } from '../bundle/row.ts';

interface RecordedMoment {
  captured: EventOf<'captured'> | null;
  success: Judgement | null;
  guards: Judgement | null;
  judged: EventOf<'judged'> | null;
}

/** The sum of an attempt's events. */
export interface Recorded {
  seq: number;
  atMs: number;
  last: { [T in EventType]?: EventOf<T> };
  moments: Record<Moment, RecordedMoment>;
  targets: TargetEntry[];
  /** The hash of the first list, and the tokens of the longest. */
  toolList: { hash: string; tokens: number | null } | null;
  steps: StepTrace[];
  bytes: number;
  /** Null after a reply whose tokens were not counted. */
  tokens: number | null;
  toolMs: number;
  turns: number;
  retries: number;
  model: string | null;
  modelMs: number;
  tokensIn: number;
  tokensCached: number;
  tokensOut: number;
  /** Null after a reply without a known price. */
  costUsd: number | null;
  reported: SelfReport;
  faults: FaultEvent[];
  /** Name → hash of a blob. */
  artifacts: Record<string, string>;
  lists: number;
}

export function nothingRecorded(): Recorded {
  return {
    seq: 0,
    atMs: 0,
    last: {},
    moments: { start: nothingJudged(), end: nothingJudged() },
    targets: [],
    toolList: null,
    steps: [],
    bytes: 0,
    tokens: 0,
    toolMs: 0,
    turns: 0,
    retries: 0,
    model: null,
    modelMs: 0,
    tokensIn: 0,
    tokensCached: 0,
    tokensOut: 0,
    costUsd: 0,
    reported: { ...NOTHING_REPORTED },
    faults: [],
    artifacts: {},
    lists: 0,
  };
}

function nothingJudged(): RecordedMoment {
  return { captured: null, success: null, guards: null, judged: null };
}

export function take(recorded: Recorded, { seq, at_ms: atMs, event }: RecordedEvent): void {
  recorded.seq = seq;
  recorded.atMs = atMs;
  Object.assign(recorded.last, { [event.type]: event });
  if (event.type === 'tools') recorded.lists += 1;
  Object.assign(recorded.artifacts, blobsIn(event, recorded.lists));
  add(recorded, event);
}

/** Null if none. */
export function judgementAt({ moments }: Recorded, moment: Moment): TaskJudgement | null {
  const { success, guards } = moments[moment];
  return success === null ? null : taskJudgement(success, guards);
}

/** Additions to the sum. For other kinds, a row needs the last event only. */
const ADDITIONS: { readonly [T in EventType]?: (recorded: Recorded, event: EventOf<T>) => void } = {
  captured: ({ moments }, event) => (moments[event.moment].captured = event),
  judged: ({ moments }, event) => (moments[event.moment].judged = event),
  contract_evaluation: ({ moments }, event) => (moments[event.moment][event.contract] = event.judgement),
  tools: (recorded, event) => (recorded.toolList = longer(recorded.toolList, event)),
  result: addResult,
  turn: (recorded, { turn }) => (recorded.turns = Math.max(recorded.turns, turn)),
  turn_retried: (recorded, { turn }) => {
    recorded.turns = Math.max(recorded.turns, turn);
    recorded.retries += 1;
  },
  turn_ended: addReply,
  reported_step: ({ reported }, { ok }) => {
    reported.steps += 1;
    reported.toolErrors += ok ? 0 : 1;
  },
  reported_usage: ({ reported }, event) => addUsage(reported, event),
  'fault.armed': addFault,
  'fault.fired': addFault,
  'fault.obeyed': addFault,
  'fault.cleared': addFault,
};

function add<T extends EventType>(recorded: Recorded, event: EventOf<T> & { type: T }): void {
  ADDITIONS[event.type]?.(recorded, event);
}

function addFault({ faults }: Recorded, event: FaultEvent): void {
  faults.push(event);
}

function longer(
  before: Recorded['toolList'],
  { tool_list_hash: hash, tokens }: EventOf<'tools'>,
): Recorded['toolList'] {
  if (before === null) return { hash, tokens };
  return { hash: before.hash, tokens: tokens === null ? before.tokens : Math.max(before.tokens ?? 0, tokens) };
}

function addResult(recorded: Recorded, { tool, ok, url, progress, ...event }: EventOf<'result'>): void {
  recorded.steps.push({ tool, ok, url, progress });
  recorded.targets.push(event.target);
  recorded.bytes += event.bytes;
  recorded.tokens = recorded.tokens === null || event.tokens === null ? null : recorded.tokens + event.tokens;
  recorded.toolMs += event.tool_ms;
}

function addReply(recorded: Recorded, event: EventOf<'turn_ended'>): void {
  recorded.turns = Math.max(recorded.turns, event.turn);
  recorded.model = event.model ?? recorded.model;
  recorded.modelMs += event.model_ms ?? 0;
  recorded.tokensIn += event.tokens_in ?? 0;
  recorded.tokensCached += event.tokens_cached ?? 0;
  recorded.tokensOut += event.tokens_out ?? 0;
  // No reply has no price; a reply without one makes the whole price unknown.
  if (event.tokens_in === null) return;
  recorded.costUsd = recorded.costUsd === null || event.cost_usd === null ? null : recorded.costUsd + event.cost_usd;
}

function addUsage(reported: SelfReport, event: EventOf<'reported_usage'>): void {
  addUp(reported, {
    inputTokens: event.input_tokens,
    outputTokens: event.output_tokens,
    cachedTokens: event.cached_tokens,
    costUsd: event.cost_usd,
    model: event.model,
  });
}

/**
 * Reads the events of an attempt, up to a line in which the writer was killed.
 * @throws BundleError when the file is missing, or a line is not an event.
 */
export async function* recordedEvents(
  layout: BundleLayout,
  { episode_id: id, attempt }: AttemptKey,
): AsyncGenerator<RecordedEvent> {
  const { events } = layout.attempt(id, attempt);
  for await (const line of readJsonLines(events)) {
    if (line.torn) return;
    const place = `${events}:${line.number}`;
    yield checkSized(line.value, line.text.length, { schema: RecordedEvent, what: 'an event', name: place });
  }
}
