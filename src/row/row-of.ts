import { deriveMode } from '../bundle/mode.ts';
import { failureCategoryOf, finishRow, MEASURED_FIELDS, recoveredOf, type Row, type RowDraft } from '../bundle/row.ts';
import { shortDetail } from '../bundle/short-detail.ts';
import type { WorldKind } from '../bundle/row-words.ts';
import { faultAtStart, pathInTask } from '../contract/judge-task.ts';
import type { Decider } from '../agent/agent.ts';
import type { ModelFacts } from '../agent/model/setup.ts';
import type { Status } from '../contract/status.ts';
import { CALL_TIMEOUT_MS } from '../episode/act.ts';
import { countNoProgress } from '../episode/no-progress.ts';
import { type EpisodeResult, lastJudgement, surroundingsOf } from '../episode/result.ts';
import type { SelfReport, Trajectory } from '../episode/trajectory.ts';
import { instanceName, taskName } from '../task/instance.ts';
import type { Surface } from '../surface/surface.ts';
import { MAX_INLINE_BYTES } from '../bundle/limits.ts';
import { isolationFor } from '../plan/entrants.ts';
import type { Pins } from '../plan/pins.ts';
import { neverArmed } from '../plan/planned-fault.ts';
import { limitsOf, type Plan, type PlannedEpisode } from '../plan/plan.ts';
import { qualificationHashOf } from '../plan/qualification.ts';
import { capsOf } from '../task/caps.ts';
import { nac3Reasons, reasonsOf } from './row-reasons.ts';
import { shortcutCalls } from './row-shortcuts.ts';
import { targetsOf } from './row-targets.ts';

/** What a row is made from, beside the result. */
export interface RowContext {
  plan: Plan;
  pins: Pins;
  campaignId: string;
  episode: PlannedEpisode;
  entrant: { decider: Decider; surface: Surface; model: ModelFacts | null };
  worldKind: WorldKind;
  /** SHA-256 of the archive that answered; null when none did. */
  archiveHash: string | null;
  attempt: number;
  runId: string;
  /** Whether this attempt is the one that the episode is counted by. */
  counts: boolean;
}

/** When an attempt ran, and the artifacts that it left. */
export interface AttemptFacts {
  executedIndex: number;
  startedAt: Date;
  endedAt: Date;
  artifacts: Record<string, string>;
  /** How one was signed in; null where nobody had to be, or it did not come to that. */
  auth: RowDraft['auth'] | null;
}

const NO_MODEL = 'no model decided';
const NO_PRICE = 'no table of prices has this model';
const NOT_REACHED = 'the episode ended before the agent acted';

/** The row of an attempt that ran. */
export function rowOf(context: RowContext, result: EpisodeResult, facts: AttemptFacts): Row {
  const { start, trajectory, end } = result;
  const last = lastJudgement(result);
  const { type: _type, ...around } = surroundingsOf(result);
  return finish(context, result.status, {
    executed_index: facts.executedIndex,
    started_at: facts.startedAt.toISOString(),
    ended_at: facts.endedAt.toISOString(),
    artifacts: facts.artifacts,
    stop: result.stop,
    detail: shortDetail(result.detail),
    goal_verdict: last?.goal ?? null,
    guard_verdict: last?.guard ?? null,
    failed_contract: failedContract(result),
    failure_category: failureCategoryOf(result),
    declared_done: result.stop === 'done',
    answer: trajectory?.answer ?? null,
    final_url: result.finalUrl,
    last_tool_call: trajectory === null ? null : lastToolCall(trajectory),
    unsettled: start === null ? null : start.unsettled || (end?.unsettled ?? false),
    tool_list_hash: result.toolListHash,
    ...around,
    surface_version: around.surface_version ?? context.pins.surfaces[context.episode.surface] ?? null,
    ...stepsOf(trajectory, context.episode.surface),
    ...turnsOf(trajectory, context.entrant.model),
    tool_list_tokens: result.toolListTokens,
    self_reported: trajectory?.reported ? selfReportOf(trajectory.reported) : null,
    process_isolation: trajectory?.isolation ?? null,
    wall_ms: rounded(trajectory?.wallMs),
    surface_open_ms: rounded(result.surfaceOpenMs),
    judge_ms: start === null ? null : rounded(start.judgeMs + (end?.judgeMs ?? 0)),
    settle_ms: start === null ? null : rounded(start.settleMs + (end?.settleMs ?? 0)),
    retries: context.attempt - 1,
    ...targetsOf(result).fields,
    ...(facts.auth ? { auth: facts.auth } : {}),
    ...(result.faults.length === 0 ? {} : struckBy(result)),
    null_reasons: { ...reasonsOf(result), ...nac3Reasons(result) },
  });
}

function struckBy({ faults, status }: EpisodeResult): Pick<RowDraft, 'faults' | 'recovered'> {
  return { faults: [...faults], recovered: recoveredOf({ faults: [...faults], status }) };
}

/** What was seen of each call; nothing of those that a self-driving agent made for itself. */
function stepsOf(trajectory: Trajectory | null, surface: string): Partial<RowDraft> {
  if (trajectory === null) return {};
  const { steps, toolErrors, responseBytes, responseTokens, toolMs, reported } = trajectory;
  if (reported !== null) return {};
  return {
    steps: steps.length,
    tool_errors: toolErrors,
    shortcut_calls: shortcutCalls(
      surface,
      steps.map(({ tool }) => tool),
    ),
    no_progress_episodes: countNoProgress(steps),
    response_bytes: responseBytes,
    response_tokens: responseTokens,
    tool_ms: rounded(toolMs),
  };
}

/** What was spent on a model, as its provider counted; nothing where there was none. */
function turnsOf(trajectory: Trajectory | null, facts: ModelFacts | null): Partial<RowDraft> {
  const model = trajectory?.model ?? null;
  if (model === null) return {};
  const prices = facts?.price_table ?? null;
  return {
    model_id_returned: model.modelId,
    turns: model.turns,
    model_retries: model.retries,
    // A recorded reply comes at once: that says nothing of the model.
    model_ms: facts?.endpoint_kind === 'cassette' ? null : rounded(model.modelMs),
    tokens_in: model.tokensIn,
    tokens_out: model.tokensOut,
    tokens_cached: model.tokensCached,
    // Where nothing has come yet, nothing is known of a price that no table has either.
    cost_usd: model.costUsd === null || prices === null ? null : Math.round(model.costUsd * 1e6) / 1e6,
    price_table: prices,
  };
}

/** What a self-driving agent says of itself, as its row has it. */
export function selfReportOf(reported: SelfReport): NonNullable<RowDraft['self_reported']> {
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

/** The assertion that decided against the entrant, or made the task invalid; null after a pass. */
function failedContract(result: EpisodeResult): RowDraft['failed_contract'] {
  const judged = lastJudgement(result);
  if (judged === null) return null;
  const decisive = result.stop === 'invalid_task' ? faultAtStart(judged) : judged.decisive;
  if (decisive === null) return null;
  const { kind, expected, observed } = decisive.leaf;
  return { path: pathInTask(decisive), kind, expected, observed };
}

function lastToolCall({ lastCall }: Trajectory): RowDraft['last_tool_call'] {
  if (lastCall === null) return null;
  const bytes = Buffer.byteLength(JSON.stringify(lastCall.args));
  const isLong = bytes > MAX_INLINE_BYTES;
  return { tool: lastCall.tool, args: isLong ? `cut: ${bytes} bytes; events.jsonl names the blob` : lastCall.args };
}

/** The row of a cell that cannot be run, and why. */
export function rowOfImpossible(context: RowContext, status: 'not_applicable' | 'unavailable', why: string): Row {
  const reason = `${status.replace('_', ' ')}: ${why}`;
  const reasons = Object.fromEntries(MEASURED_FIELDS.map((field) => [field, reason]));
  return finish(context, status, { null_reasons: reasons });
}

/** What a row says of an attempt of which nothing is known yet. */
export const NOTHING_KNOWN = {
  schema_version: 1,
  model_id: null,
  model_id_returned: null,
  model_endpoint: null,
  surface_version: null,
  executed_index: null,
  runtime_version: null,
  manifest_checksum: null,
  runtime_hash: null,
  prompt_hash: null,
  tool_list_hash: null,
  qualification_hash: null,
  started_at: null,
  ended_at: null,
  temperature: null,
  stop: null,
  detail: null,
  goal_verdict: null,
  guard_verdict: null,
  failed_contract: null,
  failure_category: null,
  declared_done: false,
  answer: null,
  final_url: null,
  last_tool_call: null,
  unsettled: null,
  steps: null,
  turns: null,
  model_retries: null,
  tool_errors: null,
  shortcut_calls: null,
  retries: null,
  no_progress_episodes: null,
  response_bytes: null,
  response_tokens: null,
  cdp_commands: null,
  self_reported: null,
  process_isolation: null,
  wall_ms: null,
  model_ms: null,
  tool_ms: null,
  surface_open_ms: null,
  judge_ms: null,
  settle_ms: null,
  tokens_in: null,
  tokens_out: null,
  tokens_cached: null,
  tool_list_tokens: null,
  cost_usd: null,
  price_table: null,
  target_classes: null,
  hallucination: null,
  script_calls: null,
  off_archive: null,
  violations: null,
  recovered: null,
  artifacts: {},
  null_reasons: {},
} as const;

function finish(context: RowContext, status: Status, measured: Partial<RowDraft>): Row {
  const { plan, pins, episode, entrant } = context;
  const { planned, agent, surface } = episode;
  const { task } = planned;
  const { decider, model } = entrant;
  const endpointKind = model?.endpoint_kind ?? 'none';
  const row: RowDraft = {
    ...NOTHING_KNOWN,
    faults: neverArmed(planned),
    run_id: context.runId,
    episode_id: episode.episodeId,
    attempt: context.attempt,
    counts: context.counts,
    campaign_id: context.campaignId,
    suite: planned.suite,
    task: task.id,
    instance: instanceName(task),
    seed: task.instance?.seed ?? null,
    category: task.category ?? null,
    task_hash: planned.task_hash,
    contract_hash: planned.contract_hash,
    agent,
    surface,
    interaction: entrant.surface.interaction,
    iteration: episode.iteration,
    plan_index: episode.planIndex,
    status,
    mode: deriveMode({ status, world_kind: context.worldKind, decider, endpoint_kind: endpointKind, dry_run: false }),
    world_kind: context.worldKind,
    decider,
    endpoint_kind: endpointKind,
    browser: pins.browser,
    bench_version: pins.bench_version,
    bench_commit: pins.bench_commit,
    bench_dirty: pins.bench_dirty,
    judge_version: pins.judge_version,
    node_version: pins.node,
    app_hash: pins.app_hashes[planned.suite] ?? null,
    qualification_hash: qualificationHashOf(pins, planned.suite, taskName(task)),
    archive_hash: context.archiveHash,
    model_id: model?.model_id ?? null,
    model_endpoint: model?.model_endpoint ?? null,
    temperature: model?.temperature ?? null,
    prompt_hash: model?.prompt_hash ?? null,
    caps: capsOf(planned.task, limitsOf(plan), {
      asksModel: decider === 'model',
      hasPrice: model?.price_table !== null,
    }),
    timeouts: {
      call_ms: CALL_TIMEOUT_MS,
      settle_ms: plan.settle_ms,
      ...(model === null ? {} : { model_call_ms: model.call_timeout_ms }),
    },
    retry_policy: { max_attempts: plan.max_attempts, max_model_retries: model?.max_retries ?? 0 },
    isolation: isolationFor(entrant.surface, plan.isolation),
    ...measured,
  };
  return finishRow({ ...row, null_reasons: reasonsFor(row) });
}

const REASONS: Record<string, string> = {
  turns: NO_MODEL,
  model_retries: NO_MODEL,
  model_ms: NO_MODEL,
  tokens_in: NO_MODEL,
  tokens_out: NO_MODEL,
  tokens_cached: NO_MODEL,
  cost_usd: NO_MODEL,
  price_table: NO_MODEL,
  cdp_commands: 'the surface works without the gateway',
};

/** Why each measured field of a row is null, for those that are; and every other of which that is known. */
function reasonsFor(row: RowDraft): Record<string, string> {
  const values = new Map<string, unknown>(Object.entries(row));
  const missing = [...values.keys()].filter(
    (field) => values.get(field) === null && (MEASURED_FIELDS.includes(field) || field in row.null_reasons),
  );
  return Object.fromEntries(missing.map((field) => [field, row.null_reasons[field] ?? reasonFor(field, row)]));
}

/** A model that was not asked is another matter than none. */
function reasonFor(field: string, { decider, endpoint_kind: endpoint, turns }: RowDraft): string {
  if (field === 'model_ms' && endpoint === 'cassette') return 'recorded replies were read from a file';
  if (turns !== null && (field === 'cost_usd' || field === 'price_table')) return NO_PRICE;
  const reason = REASONS[field] ?? NOT_REACHED;
  return reason === NO_MODEL && decider === 'model' ? NOT_REACHED : reason;
}

function rounded(milliseconds: number | null | undefined): number | null {
  return milliseconds === null || milliseconds === undefined ? null : Math.round(milliseconds * 10) / 10;
}

/** When an attempt began, as its `run_id` begins. */
export function stampOf(startedAt: Date): string {
  return startedAt.toISOString().replaceAll(/[-:.]/g, '');
}
