import { z } from 'zod';
import { FaultState } from '../fault/schema.ts';
import { Answer } from '../contract/evidence.ts';
import { Json } from '../contract/json.ts';
import { Status, Stop } from '../contract/status.ts';
import { Verdict } from '../contract/verdict.ts';
import {
  BrowserKind,
  Decider,
  EndpointKind,
  FailureCategory,
  Hallucination,
  Isolation,
  Mode,
  ProcessIsolation,
  ProcessNetwork,
  WorldKind,
} from './row-words.ts';
import { Concurrency } from './concurrency.ts';
import { AgentName, Name } from './name.ts';
import { Sha256 } from './sha256.ts';

/** Longest `detail`, in characters (UTF-16 code units). */
export const MAX_DETAIL_LENGTH = 1_000;

const Count = z.int().min(0);
const Milliseconds = z.number().min(0);
const Counts = z.record(z.string().min(1), Count);
const PathInTask = z.string().regex(/^(success|guards)(\.children\.\d+|\.child)*$/, 'is not a place in a task');
const Kind = z.string().regex(/^[a-z_]+$/, 'is not a kind of assertion');

export const identity = {
  schema_version: z.literal(2),
  /** timestamp__model__task__surface__iteration: names one attempt. */
  run_id: z.string().min(1),
  /** Hash of plan, cell and iteration: the same on every machine. */
  episode_id: z.string().regex(/^[0-9a-f]{16,64}$/, 'is not 16 to 64 lower-case hexadecimal digits'),
  attempt: z.int().min(1),
  /** Whether this attempt is the one that its episode is counted by. */
  counts: z.boolean(),
  campaign_id: Name,
  suite: Name,
  task: Name,
  category: z.string().nullable(),
  task_hash: Sha256,
  contract_hash: Sha256,
  instance: z.string(),
  seed: z.union([z.int(), z.string()]).nullable(),
  agent: AgentName,
  model_id: z.string().nullable(),
  model_id_returned: z.string().nullable(),
  model_endpoint: z.string().nullable(),
  surface: Name,
  surface_version: z.string().nullable(),
  interaction: z.enum(['multi-turn', 'one-shot']),
  iteration: Count,
  /** Place in the plan. */
  plan_index: Count,
  /** Place in the order in which episodes really started; null when this one never did. */
  executed_index: Count.nullable(),
};

/** A browser's own description of itself. */
export const BrowserIdentity = z.strictObject({
  name: z.string(),
  version: z.string(),
  /** Null where the browser does not say. */
  build: z.string().nullable(),
  kind: BrowserKind,
  /** Whether we launched it. */
  ours: z.boolean(),
  /** Null of a browser that we did not start. */
  sandbox: z.boolean().nullable(),
  /** Absent of a browser that we did not start, and of one from before it was recorded. */
  isolation: z.enum(['bubblewrap', 'user', 'none']).optional(),
});

/** The mode, and what it is derived from. */
export const facts = {
  mode: Mode,
  world_kind: WorldKind,
  decider: Decider,
  endpoint_kind: EndpointKind,
  archive_hash: Sha256.nullable(),
  /** Null when no browser was started. */
  browser: BrowserIdentity.nullable(),
};

export const versions = {
  bench_version: z.string().regex(/^\d[0-9A-Za-z.+-]*$/, 'is not a version'),
  bench_commit: z
    .string()
    .regex(/^[0-9a-f]{6,64}$/, 'is not a commit in lower-case hexadecimal')
    .nullable(),
  bench_dirty: z.boolean().nullable(),
  judge_version: z.string().min(1),
  node_version: z.string().min(1),
  /** Version of the NAC3 runtime in the page; null when there was none. */
  runtime_version: z.string().nullable(),
  manifest_checksum: z
    .string()
    .regex(/^[0-9a-f]{12}$/, 'is not the first 12 hexadecimal digits of a SHA-256')
    .nullable(),
  app_hash: Sha256.nullable(),
  runtime_hash: Sha256.nullable(),
  prompt_hash: Sha256.nullable(),
  tool_list_hash: Sha256.nullable(),
  qualification_hash: Sha256.nullable(),
  started_at: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime().nullable(),
};

export const settings = {
  temperature: z.number().nullable(),
  /** Null: not capped, because nothing of the kind is spent. */
  caps: z.strictObject({
    steps: Count,
    turns: Count.nullable(),
    wall_ms: Milliseconds,
    tokens: Count.nullable(),
    cost_usd: z.number().min(0).nullable(),
  }),
  timeouts: z.record(z.string().regex(/_ms$/, 'has no unit; end the name in "_ms"'), Milliseconds),
  retry_policy: z.strictObject({ max_attempts: z.int().min(1), max_model_retries: Count }),
  isolation: Isolation.nullable(),
  /** Isolation of a self-driving agent or a tool server, as it really ran; null where no such process was started. */
  process_isolation: z.strictObject({ by: ProcessIsolation, network: ProcessNetwork }).nullable(),
  /** Absent where episodes ran one after the other. */
  concurrency: Concurrency.exactOptional(),
};

export const outcome = {
  status: Status,
  stop: Stop.nullable(),
  /** Why it stopped, in words; null when there is nothing to add. */
  detail: z.string().max(MAX_DETAIL_LENGTH).nullable(),
  goal_verdict: Verdict.nullable(),
  guard_verdict: Verdict.nullable(),
  failed_contract: z.strictObject({ path: PathInTask, kind: Kind, expected: Json, observed: Json }).nullable(),
  failure_category: FailureCategory.nullable(),
  declared_done: z.boolean(),
  answer: Answer.nullable(),
  final_url: z.string().nullable(),
  last_tool_call: z.strictObject({ tool: z.string(), args: Json }).nullable(),
  unsettled: z.boolean().nullable(),
};

/** Measured: null only with a reason. */
export const effort = {
  steps: Count.nullable(),
  /** Model calls; and those that were made again because the provider had failed. */
  turns: Count.nullable(),
  model_retries: Count.nullable(),
  tool_errors: Count.nullable(),
  /** Calls that may do in one step what takes a user several; `differences` of `touchstone list --json` names them. */
  shortcut_calls: Count.nullable(),
  retries: Count.nullable(),
  no_progress_episodes: Count.nullable(),
  response_bytes: Count.nullable(),
  /** By the tokenizer o200k_base, for every model; so is `tool_list_tokens`. */
  response_tokens: Count.nullable(),
  /** Commands of the Chrome DevTools Protocol that came from outside, as our gateway counted them. */
  cdp_commands: Count.nullable(),
  wall_ms: Milliseconds.nullable(),
  model_ms: Milliseconds.nullable(),
  tool_ms: Milliseconds.nullable(),
  /** Until the surface was open, a tool server's process started and its tools listed; not part of `wall_ms`. */
  surface_open_ms: Milliseconds.nullable(),
  judge_ms: Milliseconds.nullable(),
  settle_ms: Milliseconds.nullable(),
  /** All that the model has read; those of them from the provider's cache are `tokens_cached`. */
  tokens_in: Count.nullable(),
  tokens_out: Count.nullable(),
  tokens_cached: Count.nullable(),
  tool_list_tokens: Count.nullable(),
  /** Cost of the replies that came, by the prices of `price_table`. */
  cost_usd: z.number().min(0).nullable(),
  price_table: z.string().nullable(),
};

/** Figures that a self-driving agent reports about itself. They are never mixed with measurements. */
export const testimony = {
  self_reported: z
    .strictObject({
      steps: Count,
      tool_errors: Count,
      model_calls: Count,
      tokens_in: Count.nullable(),
      tokens_out: Count.nullable(),
      tokens_cached: Count.nullable(),
      cost_usd: z.number().min(0).nullable(),
      model: z.string().nullable(),
    })
    .nullable(),
};

/** Measured: null only with a reason. */
export const targets = {
  /** Number of actions by class of their target. */
  target_classes: Counts.nullable(),
  hallucination: Hallucination.nullable(),
  script_calls: Count.nullable(),
  off_archive: Count.nullable(),
  /** Number of times that each rule of the harness was broken. */
  violations: Counts.nullable(),
};

export const faults = {
  /** The faults that were planned, and what became of them; empty where none was. */
  faults: z.array(FaultState),
  /** Whether the task was passed all the same. Null when no fault fired: then nothing is known. */
  recovered: z.boolean().nullable(),
};

/** The way of signing in: by the agent in the episode, or as a role when it began. `setup_ms` is the time that the role took, once. */
const RowAuth = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('form') }),
  z.strictObject({ by: z.literal('stored_state'), role: Name, setup_ms: Milliseconds }),
]);

export const authentication = {
  /** Absent if no sign-in was needed, or the episode ended before it. */
  auth: RowAuth.exactOptional(),
};

export const proof = {
  /** Name → hash of a blob. */
  artifacts: z.record(z.string().min(1), Sha256),
  /** Field → why it is null. */
  null_reasons: z.record(z.string(), z.string().min(1)),
};

export const hashes = { record_hash: Sha256, outcome_hash: Sha256 };
