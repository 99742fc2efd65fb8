import { addUp, NOTHING_REPORTED } from '../episode/drive.ts';
import type { EpisodeEvent, RecordedEvent } from '../episode/events.ts';
import type { StepTrace } from '../episode/no-progress.ts';
import type { LedgerEntry } from '../episode/target-ledger.ts';
import type { SelfReport } from '../episode/trajectory.ts';
import type { FaultEvent } from '../fault/fault-record.ts';

type Of<T extends EpisodeEvent['type']> = Extract<EpisodeEvent, { type: T }>;

/** What an attempt's events add up to, as far as a row repeats it. */
export interface Told {
  seq: number;
  atMs: number;
  stopMs: number | null;
  reset: Of<'reset'> | null;
  stop: Of<'stop'> | null;
  gateway: Of<'gateway'> | null;
  call: Of<'call'> | null;
  /** What the calls aimed at. */
  targets: LedgerEntry[];
  toolList: { hash: string; tokens: number | null } | null;
  steps: StepTrace[];
  bytes: number;
  toolMs: number;
  turns: number;
  retries: number;
  model: string | null;
  modelMs: number;
  tokensIn: number;
  tokensCached: number;
  tokensOut: number;
  /** Null once a reply came whose price is not known. */
  costUsd: number | null;
  reported: SelfReport;
  surroundings: Of<'surroundings'> | null;
  /** Null: nothing was captured. */
  unsettled: boolean | null;
  isolation: Of<'isolated'> | null;
  faults: FaultEvent[];
}

/** Before the first event. */
export function nothingTold(): Told {
  return {
    seq: 0,
    atMs: 0,
    stopMs: null,
    reset: null,
    stop: null,
    gateway: null,
    call: null,
    targets: [],
    toolList: null,
    steps: [],
    bytes: 0,
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
    surroundings: null,
    unsettled: null,
    isolation: null,
    faults: [],
  };
}

/** Adds the next event; what is wrong with its place, in words, or null. */
export function take(told: Told, { seq, at_ms: atMs, event }: RecordedEvent): string | null {
  const inOrder = seq === told.seq + 1 && atMs >= told.atMs;
  told.seq = seq;
  told.atMs = atMs;
  add(told, event, atMs);
  return inOrder ? null : `events.jsonl:${seq} does not follow from the event before it`;
}

function add(told: Told, event: EpisodeEvent, atMs: number): void {
  switch (event.type) {
    case 'reset':
      told.reset = event;
      break;
    case 'tools':
      told.toolList = longer(told.toolList, event);
      break;
    case 'call':
      told.call = event;
      break;
    case 'result':
      told.steps.push({ tool: event.tool, ok: event.ok, url: event.url, progress: null });
      if (event.target !== undefined) told.targets.push(event.target);
      told.bytes += event.bytes;
      told.toolMs += event.tool_ms;
      break;
    case 'turn':
    case 'turn_retried':
      told.turns = Math.max(told.turns, event.turn);
      told.retries += event.type === 'turn_retried' ? 1 : 0;
      break;
    case 'turn_ended':
      takeReply(told, event);
      break;
    case 'gateway':
      told.gateway = event;
      break;
    case 'reported_step':
      told.reported.steps += 1;
      told.reported.toolErrors += event.ok ? 0 : 1;
      break;
    case 'reported_usage':
      takeUsage(told.reported, event);
      break;
    case 'fault.armed':
    case 'fault.fired':
    case 'fault.obeyed':
    case 'fault.cleared':
      told.faults.push(event);
      break;
    case 'isolated':
      told.isolation = event;
      break;
    case 'stop':
      told.stop = event;
      told.stopMs = atMs;
      break;
    case 'surroundings':
      told.surroundings = event;
      break;
    case 'contract_evaluation':
      told.unsettled = told.unsettled === true || event.unsettled;
      break;
    case 'printed':
    case 'trace':
      break;
  }
}

/** The hash of the first list, and the tokens of the longest. */
function longer(before: Told['toolList'], { tool_list_hash: hash, tokens }: Of<'tools'>): Told['toolList'] {
  if (before === null) return { hash, tokens };
  return { hash: before.hash, tokens: tokens === null ? before.tokens : Math.max(before.tokens ?? 0, tokens) };
}

function takeReply(told: Told, event: Of<'turn_ended'>): void {
  told.turns = Math.max(told.turns, event.turn);
  told.model = event.model ?? told.model;
  told.modelMs += event.model_ms ?? 0;
  told.tokensIn += event.tokens_in ?? 0;
  told.tokensCached += event.tokens_cached ?? 0;
  told.tokensOut += event.tokens_out ?? 0;
  // No reply has no price, and a reply without one makes that of all unknown.
  if (event.tokens_in === null) return;
  told.costUsd = told.costUsd === null || event.cost_usd === null ? null : told.costUsd + event.cost_usd;
}

function takeUsage(reported: SelfReport, event: Of<'reported_usage'>): void {
  addUp(reported, {
    inputTokens: event.input_tokens,
    outputTokens: event.output_tokens,
    cachedTokens: event.cached_tokens,
    costUsd: event.cost_usd,
    model: event.model,
  });
}
