import type { Row } from '../bundle/row.ts';
import type { Status } from '../contract/status.ts';
import { countNoProgress } from '../episode/no-progress.ts';
import { targetFigures } from '../episode/target-ledger.ts';
import { pinned } from '../plan/pins.ts';
import { NO_TOOLS, type SurfaceTraits } from '../surface/traits.ts';
import { type Attempt, modelOf } from './attempt.ts';
import type { Recorded } from './recorded.ts';

/** The fields for what was done, measured and spent. */
export function effortOf(attempt: Attempt, recorded: Recorded, status: Status) {
  const { last, moments, toolList } = recorded;
  const { surroundings, isolated, acted } = last;
  const traits = pinned(attempt.campaign.pins.surfaces, attempt.episode.surface, 'traits');
  const judged = [moments.start.judged, moments.end.judged].filter((each) => each !== null);
  const total = (times: number[]): number | null =>
    judged.length === 0 ? null : rounded(times.reduce((sum, each) => sum + each, 0));
  return {
    ...(acted === undefined || drivesItself(traits) ? NOTHING_SEEN : seen(recorded, traits, status === 'passed')),
    ...turnsOf(attempt, recorded),
    runtime_version: surroundings?.runtime_version ?? null,
    manifest_checksum: surroundings?.manifest_checksum ?? null,
    runtime_hash: surroundings?.runtime_hash ?? null,
    tool_list_hash: toolList?.hash ?? null,
    tool_list_tokens: toolList?.tokens ?? null,
    process_isolation: isolated === undefined ? null : { by: isolated.by, network: isolated.network },
    self_reported: acted !== undefined && drivesItself(traits) ? selfReportOf(recorded) : null,
    cdp_commands: last.gateway?.commands ?? null,
    wall_ms: acted === undefined ? null : rounded(acted.wall_ms),
    surface_open_ms: last.opened === undefined ? null : rounded(last.opened.open_ms),
    judge_ms: total(judged.map(({ judge_ms: ms }) => ms)),
    settle_ms: total(judged.map(({ settle_ms: ms }) => ms)),
    off_archive: acted === undefined ? null : (surroundings?.off_archive ?? null),
    violations: surroundings?.violations ?? null,
    ...(surroundings?.refused === undefined ? {} : { refused: surroundings.refused }),
  } satisfies Partial<Row>;
}

/** Whether the agent drives the browser itself, which makes its calls invisible. */
export function drivesItself(traits: Pick<SurfaceTraits, 'tools_of'>): boolean {
  return traits.tools_of === NO_TOOLS;
}

export function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}

const NOTHING_SEEN = {
  steps: null,
  tool_errors: null,
  shortcut_calls: null,
  no_progress_episodes: null,
  response_bytes: null,
  response_tokens: null,
  tool_ms: null,
  target_classes: null,
  hallucination: null,
  script_calls: null,
} as const;

function seen(recorded: Recorded, traits: SurfaceTraits, passed: boolean) {
  const { steps, targets, bytes, tokens, toolMs, last } = recorded;
  const { classes, hallucination } = targetFigures(targets, passed);
  return {
    steps: steps.length,
    tool_errors: steps.filter(({ ok }) => !ok).length,
    shortcut_calls: shortcutCalls(traits.shortcuts, steps),
    no_progress_episodes: countNoProgress(steps),
    response_bytes: bytes,
    response_tokens: tokens,
    tool_ms: rounded(toolMs),
    target_classes: classes,
    hallucination,
    // Without the gateway, only some surfaces are known to take no scripts.
    script_calls: last.gateway?.script_steps.length ?? (traits.takes_script ? null : 0),
  };
}

function shortcutCalls(shortcuts: SurfaceTraits['shortcuts'], steps: Recorded['steps']): number | null {
  if (shortcuts === null) return null;
  return shortcuts === 'all' ? steps.length : steps.filter(({ tool }) => shortcuts.includes(tool)).length;
}

const NOTHING_SPENT = {
  model_id_returned: null,
  turns: null,
  model_retries: null,
  model_ms: null,
  tokens_in: null,
  tokens_out: null,
  tokens_cached: null,
  cost_usd: null,
  price_table: null,
} as const;

/** The spending on a model, as its provider counted it. If the model never began, not even a cost of zero is known. */
function turnsOf({ campaign: { pins }, episode: { agent } }: Attempt, recorded: Recorded) {
  const model = modelOf(pins, agent, recorded.last.replayed);
  if (recorded.last.agent_begun === undefined || pinned(pins.deciders, agent, 'decider') !== 'model')
    return NOTHING_SPENT;
  const prices = model?.price_table ?? null;
  const { costUsd } = recorded;
  return {
    model_id_returned: recorded.model,
    turns: recorded.turns,
    model_retries: recorded.retries,
    // A recorded reply arrives at once.
    model_ms: model?.endpoint_kind === 'cassette' ? null : rounded(recorded.modelMs),
    tokens_in: recorded.tokensIn,
    tokens_out: recorded.tokensOut,
    tokens_cached: recorded.tokensCached,
    // Without a table of prices the cost is unknown even before the first reply.
    cost_usd: costUsd === null || prices === null ? null : Math.round(costUsd * 1e6) / 1e6,
    price_table: prices,
  };
}

function selfReportOf({ reported }: Recorded): NonNullable<Row['self_reported']> {
  return {
    steps: reported.steps,
    tool_errors: reported.toolErrors,
    model_calls: reported.modelCalls,
    tokens_in: reported.tokensIn,
    tokens_out: reported.tokensOut,
    tokens_cached: reported.tokensCached,
    cost_usd: reported.costUsd,
    model: reported.model,
  };
}
