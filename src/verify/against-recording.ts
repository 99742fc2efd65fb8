import { stat } from 'node:fs/promises';
import { systemCode } from '../bundle/errors.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import { failureCategoryOf, type Row } from '../bundle/row.ts';
import { shortDetail } from '../bundle/short-detail.ts';
import { recordedEvents } from '../row/recorded-events.ts';
import { canonicalJson } from '../contract/canonical.ts';
import type { Pins } from '../plan/pins.ts';
import { NOTHING_KNOWN, selfReportOf } from '../row/row-of.ts';
import { shortcutCalls } from '../row/row-shortcuts.ts';
import { countNoProgress } from '../episode/no-progress.ts';
import { NOT_BEGUN, surroundingsOf } from '../episode/result.ts';
import { targetFigures } from '../episode/target-ledger.ts';
import type { ArmedFault } from '../fault/schema.ts';
import { OWN } from '../plan/surface-ids.ts';
import { nameOf } from '../task/instance.ts';
import { isFaultTold } from './against-faults.ts';
import { nothingTold, take, type Told } from '../row/told.ts';

/** What was written down before the episode began. */
export interface Recorded {
  /** The fault that the plan has for it. */
  drawn: ArmedFault | null;
  pins: Pick<Pins, 'surfaces'>;
}

/** Clocks of one machine are read one after the other, and rounded. */
const CLOCK_MS = 2;
/** By how much a clock may have been set in an episode. */
const SET_MS = 1_000;

/**
 * Which fields of a row are not what its events come to, in words: what was done, counted and spent, and how it ended. A row
 * that does not count is held against its events as any other.
 * @throws BundleError when events.jsonl is missing or a line of it is no event.
 */
export async function againstRecording(row: Row, layout: BundleLayout, recorded: Recorded): Promise<string[]> {
  if (row.stop === null) return [...(await ofNone(row, layout)), ...notNothing(row, recorded)];
  const told = nothingTold();
  const problems: string[] = [];
  for await (const line of recordedEvents(layout, row)) {
    const problem = take(told, line);
    if (problem !== null) problems.push(problem);
  }
  return [...problems, ...differences(row, told, recorded)];
}

/** What has not stopped has not begun, and who has not begun leaves nothing. */
async function ofNone({ episode_id: episodeId, attempt }: Row, layout: BundleLayout): Promise<string[]> {
  const left = await stat(layout.attempt(episodeId, attempt).events).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
  return left === null ? [] : ['stop is null, and events.jsonl tells of an episode that has begun'];
}

/** What of a row that says that nobody has begun is more than nothing, beside what is pinned. */
function notNothing(row: Row, { drawn }: Recorded): string[] {
  const said = new Map<string, unknown>(Object.entries(row));
  const others = Object.entries(NOTHING_KNOWN).filter(
    ([field, nothing]) => !KNOWN_BEFORE.has(field) && canonicalJson(said.get(field)) !== canonicalJson(nothing),
  );
  const fields = [...others.map(([field]) => field), ...(isFaultTold(row, [], drawn) ? [] : ['faults'])];
  return fields.map((field) => `stop is null, and ${field} tells of an episode that has begun`);
}

const KNOWN_BEFORE: ReadonlySet<string> = new Set<keyof Row>([
  'model_id',
  'model_endpoint',
  'temperature',
  'prompt_hash',
  'qualification_hash',
  'null_reasons',
]);

type Check = [field: string, agrees: boolean];

function differences(row: Row, told: Told, { drawn, pins }: Recorded): string[] {
  const checks: Check[] = [
    ...ending(row, told),
    ...around(row, told, pins),
    ...counted(row, told),
    ...spent(row, told),
    ...timed(row, told),
    ['faults', isFaultTold(row, told.faults, drawn)],
  ];
  return checks.flatMap(([field, agrees]) => (agrees ? [] : [`${field} is not what events.jsonl comes to`]));
}

function ending(row: Row, { reset, stop, call, unsettled }: Told): Check[] {
  return [
    ['task', reset === null || reset.task === nameOf(row.task, row.instance)],
    ['agent', reset === null || reset.agent === row.agent],
    ['surface', reset === null || reset.surface === row.surface],
    ['stop', stop?.stop === row.stop],
    ['detail', stop !== null && shortDetail(stop.detail) === row.detail],
    ['failure_category', row.failure_category === failureCategoryOf(row)],
    ['answer', canonicalJson(row.answer) === canonicalJson(stop?.answer ?? null)],
    ['last_tool_call', row.last_tool_call === null ? isLost(row, call !== null) : isSameCall(row.last_tool_call, call)],
    ['unsettled', row.unsettled === null ? isLost(row, unsettled !== null) : row.unsettled === unsettled],
  ];
}

function isSameCall(said: NonNullable<Row['last_tool_call']>, call: Told['call']): boolean {
  if (call === null || said.tool !== call.tool) return false;
  return call.args_blob !== null || canonicalJson(said.args) === canonicalJson(call.args);
}

/** What surface, world and gateway came to. An episode that was begun has said so; of any other nothing is known. */
function around(row: Row, { reset, surroundings, toolList }: Told, { surfaces }: Recorded['pins']): Check[] {
  const { type: _type, ...told } = surroundings ?? surroundingsOf(NOT_BEGUN);
  const found: Partial<Row> = { ...told, surface_version: told.surface_version ?? surfaces[row.surface] ?? null };
  const said = new Map<string, unknown>(Object.entries(row));
  const isTold = surroundings !== null || reset === null;
  const { hash = null, tokens = null } = toolList ?? {};
  return [
    ...Object.entries(found).map(([field, value]): Check => [
      field,
      isTold && canonicalJson(said.get(field)) === canonicalJson(value),
    ]),
    ['tool_list_hash', row.tool_list_hash === null ? isLost(row, hash !== null) : row.tool_list_hash === hash],
    [
      'tool_list_tokens',
      row.tool_list_tokens === null ? isLost(row, tokens !== null) : row.tool_list_tokens === tokens,
    ],
  ];
}

function counted(row: Row, told: Told): Check[] {
  const { gateway, steps, reported } = told;
  const isOwn = row.surface === OWN;
  const seen = (said: number | null, found: number): boolean =>
    said === null ? isOwn || isUnmeasured(row) : !isOwn && row.stop !== 'invalid_task' && said === found;
  const commanded = (said: number | null, found: number): boolean =>
    said === null ? isLost(row, true) : said === found;
  return [
    ['steps', seen(row.steps, steps.length)],
    ['tool_errors', seen(row.tool_errors, steps.filter(({ ok }) => !ok).length)],
    ['no_progress_episodes', seen(row.no_progress_episodes, countNoProgress(steps))],
    ...aimed(row, told),
    ['response_bytes', seen(row.response_bytes, told.bytes)],
    ['cdp_commands', gateway === null || commanded(row.cdp_commands, gateway.commands)],
    // Whose program drives the browser itself has no calls that a script could be counted to.
    [
      'script_calls',
      gateway === null ||
        (isOwn ? row.script_calls === null : commanded(row.script_calls, gateway.script_steps.length)),
    ],
    [
      'self_reported',
      row.self_reported === null
        ? !isOwn || isUnmeasured(row)
        : isOwn && canonicalJson(row.self_reported) === canonicalJson(selfReportOf(reported)),
    ],
    ['process_isolation', isKeptApart(row, told)],
  ];
}

/** What calls were is measured wherever they were seen: to leave it out would be to hide a phantom. */
function aimed(row: Row, { targets, steps }: Told): Check[] {
  // Whether steps may be null is held to elsewhere: what none were seen of aimed at nothing that is known.
  if (row.steps === null) {
    const { shortcut_calls, target_classes, hallucination, response_tokens } = row;
    const unseen = Object.entries({ shortcut_calls, target_classes, hallucination, response_tokens });
    return unseen.map(([field, value]): Check => [field, value === null]);
  }
  const { classes, hallucination } = targetFigures(targets, row.status === 'passed');
  const tools = steps.map(({ tool }) => tool);
  return [
    ['shortcut_calls', row.shortcut_calls === shortcutCalls(row.surface, tools)],
    ['target_classes', canonicalJson(row.target_classes) === canonicalJson(classes)],
    ['hallucination', row.hallucination === hallucination],
  ];
}

/** Only where a model decided is anything spent, and then all that was. */
function spent(row: Row, told: Told): Check[] {
  const isModel = row.decider === 'model';
  const isNothing = !isModel || isLost(row, told.turns > 0);
  // Of a model that was never begun nothing is known, not even that it cost nothing.
  const isBegun = isModel && row.turns !== null;
  const is = (said: number | null, found: number): boolean => (said === null ? isNothing : isBegun && said === found);
  const cost = row.price_table === null ? null : told.costUsd;
  return [
    ['turns', is(row.turns, told.turns)],
    ['model_retries', is(row.model_retries, told.retries)],
    ['model_id_returned', row.model_id_returned === told.model || (row.model_id_returned === null && isNothing)],
    ['tokens_in', is(row.tokens_in, told.tokensIn)],
    ['tokens_cached', is(row.tokens_cached, told.tokensCached)],
    ['tokens_out', is(row.tokens_out, told.tokensOut)],
    [
      'cost_usd',
      row.cost_usd === null || cost === null
        ? row.cost_usd === null && (cost === null || isNothing)
        : isBegun && Math.abs(row.cost_usd - cost) <= 1e-6,
    ],
    [
      'model_ms',
      row.model_ms === null
        ? row.endpoint_kind === 'cassette' || isNothing
        : isBegun && row.endpoint_kind !== 'cassette' && Math.abs(row.model_ms - told.modelMs) <= 0.1,
    ],
  ];
}

/** How long the agent took lies between its tool calls and the whole episode: events do not tell more. */
function timed(row: Row, { toolMs, stopMs, atMs }: Told): Check[] {
  const { wall_ms: wall, tool_ms: tools, started_at: from, ended_at: to } = row;
  const isMeasured = row.stop !== 'invalid_task';
  return [
    [
      'tool_ms',
      tools === null
        ? row.surface === OWN || isUnmeasured(row)
        : row.surface !== OWN && isMeasured && Math.abs(tools - toolMs) <= 0.1,
    ],
    [
      'wall_ms',
      wall === null
        ? isUnmeasured(row)
        : isMeasured && wall + CLOCK_MS >= toolMs && (stopMs === null || wall <= stopMs + CLOCK_MS),
    ],
    // Two clocks: one counts from the start, and the other may be set meanwhile.
    ['ended_at', from !== null && to !== null && Date.parse(to) - Date.parse(from) + SET_MS >= atMs],
  ];
}

/** What was never begun, and what a breakdown took along. */
function isUnmeasured({ stop }: Row): boolean {
  return stop === 'invalid_task' || stop === 'infra_error';
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
