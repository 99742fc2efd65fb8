import { stat } from 'node:fs/promises';
import { systemCode } from '../bundle/errors.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { Row } from '../bundle/row.ts';
import { MAX_DETAIL_LENGTH } from '../bundle/row-fields.ts';
import { recordedEvents } from '../campaign/recorded-events.ts';
import { canonicalJson } from '../contract/canonical.ts';
import { shortcutCalls } from '../campaign/row-shortcuts.ts';
import type { EpisodeEvent, RecordedEvent } from '../episode/events.ts';
import { type LedgerEntry, targetFigures } from '../episode/target-ledger.ts';
import type { FaultEvent } from '../fault/fault-record.ts';
import type { ArmedFault } from '../fault/schema.ts';
import { nameOf } from '../task/instance.ts';
import { isFaultTold } from './against-faults.ts';

/** What an attempt's events add up to, as far as a row repeats it. */
interface Told {
  seq: number;
  atMs: number;
  stopMs: number | null;
  reset: Extract<EpisodeEvent, { type: 'reset' }> | null;
  stop: Extract<EpisodeEvent, { type: 'stop' }> | null;
  gateway: Extract<EpisodeEvent, { type: 'gateway' }> | null;
  call: Extract<EpisodeEvent, { type: 'call' }> | null;
  /** The tools that were called, and what the calls aimed at. */
  tools: string[];
  targets: LedgerEntry[];
  toolLists: string[];
  results: number;
  errors: number;
  bytes: number;
  toolMs: number;
  turns: number;
  retries: number;
  tokensIn: number;
  tokensCached: number;
  tokensOut: number;
  costUsd: number;
  reportedSteps: number;
  isolation: Extract<EpisodeEvent, { type: 'isolated' }> | null;
  faults: FaultEvent[];
}

/** Clocks of one machine are read one after the other, and rounded. */
const CLOCK_MS = 2;

/**
 * Which fields of a row are not what its events come to, in words: what was done, counted and spent, and how it ended. A row
 * that does not count is held against its events as any other.
 * @param drawn the fault that the plan has for its episode
 * @throws BundleError when events.jsonl is missing or a line of it is no event.
 */
export async function againstRecording(row: Row, layout: BundleLayout, drawn: ArmedFault | null): Promise<string[]> {
  if (row.stop === null) return await ofNone(row, layout);
  const told = nothingTold();
  const problems: string[] = [];
  for await (const line of recordedEvents(layout, row)) {
    const problem = take(told, line);
    if (problem !== null) problems.push(problem);
  }
  return [...problems, ...differences(row, told, drawn)];
}

/** What has not stopped has not begun, and who has not begun leaves nothing. */
async function ofNone({ episode_id: episodeId, attempt }: Row, layout: BundleLayout): Promise<string[]> {
  const left = await stat(layout.attempt(episodeId, attempt).events).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
  return left === null ? [] : ['stop is null, and events.jsonl tells of an episode that has begun'];
}

function nothingTold(): Told {
  return {
    seq: 0,
    atMs: 0,
    stopMs: null,
    reset: null,
    stop: null,
    gateway: null,
    call: null,
    tools: [],
    targets: [],
    toolLists: [],
    results: 0,
    errors: 0,
    bytes: 0,
    toolMs: 0,
    turns: 0,
    retries: 0,
    tokensIn: 0,
    tokensCached: 0,
    tokensOut: 0,
    costUsd: 0,
    reportedSteps: 0,
    isolation: null,
    faults: [],
  };
}

function take(told: Told, { seq, at_ms: atMs, event }: RecordedEvent): string | null {
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
      told.toolLists.push(event.tool_list_hash);
      break;
    case 'call':
      told.call = event;
      break;
    case 'result':
      told.results += 1;
      told.tools.push(event.tool);
      if (event.target !== undefined) told.targets.push(event.target);
      told.errors += event.ok ? 0 : 1;
      told.bytes += event.bytes;
      told.toolMs += event.tool_ms;
      break;
    case 'turn':
    case 'turn_retried':
      told.turns = Math.max(told.turns, event.turn);
      told.retries += event.type === 'turn_retried' ? 1 : 0;
      break;
    case 'turn_ended':
      told.turns = Math.max(told.turns, event.turn);
      told.tokensIn += event.tokens_in ?? 0;
      told.tokensCached += event.tokens_cached ?? 0;
      told.tokensOut += event.tokens_out ?? 0;
      told.costUsd += event.cost_usd ?? 0;
      break;
    case 'gateway':
      told.gateway = event;
      break;
    case 'reported_step':
      told.reportedSteps += 1;
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
    case 'contract_evaluation':
    case 'printed':
    case 'reported_usage':
    case 'trace':
      break;
  }
}

type Check = [field: keyof Row, agrees: boolean];

function differences(row: Row, told: Told, drawn: ArmedFault | null): string[] {
  const checks: Check[] = [
    ...ending(row, told),
    ...counted(row, told),
    ...spent(row, told),
    ...timed(row, told),
    ['faults', isFaultTold(row, told.faults, drawn)],
  ];
  return checks.flatMap(([field, agrees]) => (agrees ? [] : [`${field} is not what events.jsonl comes to`]));
}

function ending(row: Row, { reset, stop, call, toolLists }: Told): Check[] {
  return [
    ['task', reset === null || reset.task === nameOf(row.task, row.instance)],
    ['agent', reset === null || reset.agent === row.agent],
    ['surface', reset === null || reset.surface === row.surface],
    ['stop', stop?.stop === row.stop],
    ['detail', stop !== null && shortened(stop.detail) === row.detail],
    ['answer', canonicalJson(row.answer) === canonicalJson(stop?.answer ?? null)],
    ['last_tool_call', row.last_tool_call === null ? isLost(row, call !== null) : isSameCall(row.last_tool_call, call)],
    ['tool_list_hash', row.tool_list_hash === null || toolLists.includes(row.tool_list_hash)],
  ];
}

function isSameCall(said: NonNullable<Row['last_tool_call']>, call: Told['call']): boolean {
  if (call === null || said.tool !== call.tool) return false;
  return call.args_blob !== null || canonicalJson(said.args) === canonicalJson(call.args);
}

function shortened(detail: string | null): string | null {
  if (detail === null || detail.length <= MAX_DETAIL_LENGTH) return detail;
  return `${detail.slice(0, MAX_DETAIL_LENGTH - 1)}…`;
}

function counted(row: Row, told: Told): Check[] {
  const { gateway } = told;
  const seen = (said: number | null, found: number): boolean =>
    said === null ? isLost(row, told.results > 0) : said === found;
  const commanded = (said: number | null, found: number): boolean =>
    said === null ? isLost(row, true) : said === found;
  return [
    ['steps', seen(row.steps, told.results)],
    ['tool_errors', seen(row.tool_errors, told.errors)],
    ...aimed(row, told),
    ['response_bytes', seen(row.response_bytes, told.bytes)],
    ['cdp_commands', gateway === null || commanded(row.cdp_commands, gateway.commands)],
    ['script_calls', gateway === null || commanded(row.script_calls, gateway.script_steps.length)],
    [
      'self_reported',
      row.self_reported === null ? isLost(row, told.reportedSteps > 0) : row.self_reported.steps === told.reportedSteps,
    ],
    ['process_isolation', isKeptApart(row, told)],
  ];
}

/** What calls were is measured wherever they were seen: to leave it out would be to hide a phantom. */
function aimed(row: Row, { targets, tools, results }: Told): Check[] {
  if (results === 0 || (row.steps === null && isLost(row, true))) return [];
  const { classes, hallucination } = targetFigures(targets, row.status === 'passed');
  return [
    ['shortcut_calls', row.shortcut_calls === shortcutCalls(row.surface, tools)],
    ['target_classes', canonicalJson(row.target_classes) === canonicalJson(classes)],
    ['hallucination', row.hallucination === hallucination],
  ];
}

function spent(row: Row, told: Told): Check[] {
  return [
    ['turns', is(row.turns, told.turns)],
    ['model_retries', is(row.model_retries, told.retries)],
    ['tokens_in', is(row.tokens_in, told.tokensIn)],
    ['tokens_cached', is(row.tokens_cached, told.tokensCached)],
    ['tokens_out', is(row.tokens_out, told.tokensOut)],
    ['cost_usd', row.cost_usd === null || Math.abs(row.cost_usd - told.costUsd) <= 1e-6],
  ];
}

/** How long the agent took lies between its tool calls and the whole episode: events do not tell more. */
function timed(row: Row, { toolMs, stopMs }: Told): Check[] {
  const { wall_ms: wall, tool_ms: tools } = row;
  return [
    ['tool_ms', tools === null ? isLost(row, toolMs > 0) : Math.abs(tools - toolMs) <= 0.1],
    [
      'wall_ms',
      wall === null
        ? isLost(row, toolMs > 0)
        : wall + CLOCK_MS >= toolMs && (stopMs === null || wall <= stopMs + CLOCK_MS),
    ],
  ];
}

/** What a breakdown took along is null, and nothing else may be that has been told of. */
function isLost({ stop }: Row, isTold: boolean): boolean {
  return !isTold || stop === 'infra_error';
}

function isKeptApart(row: Row, { isolation }: Told): boolean {
  const { process_isolation: said } = row;
  if (isolation === null || said === null) return isolation === null ? said === null : isLost(row, true);
  return said.by === isolation.by && said.network === isolation.network;
}

function is(said: number | null, found: number): boolean {
  return said === null || said === found;
}
