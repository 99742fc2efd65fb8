import { z } from 'zod';
import { FaultState } from '../fault/schema.ts';
import { Answer } from '../contract/evidence.ts';
import { Json } from '../contract/json.ts';
import { MAX_REFUSED, RefusedRequest } from '../contract/refused-request.ts';
import { Broken, Status, Stop } from '../contract/status.ts';
import { Verdict } from '../contract/verdict.ts';
import {
  BrowserKind,
  Concurrency,
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
import { AgentName, Name } from './name.ts';
import { Sha256 } from './sha256.ts';

/** In UTF-16 code units. */
export const MAX_DETAIL_LENGTH = 1_000;

const Count = z.int().min(0);
const Milliseconds = z.number().min(0);
const Counts = z.record(z.string().min(1), Count);
const PathInTask = z.string().regex(/^(success|guards)(\.children\.\d+|\.child)*$/, 'is not a place in a task');
const PathOfClause = z.string().regex(/^success(\.children\[\d+\])+$/, 'is not a clause of a task');
const Kind = z.string().regex(/^[a-z_]+$/, 'is not a kind of assertion');

export const BrowserIdentity = z.strictObject({
  name: z.string(),
  version: z.string(),
  /** Null if the browser does not report it. */
  build: z.string().nullable(),
  kind: BrowserKind,
  ours: z.boolean(),
  /** Null unless we started the browser. */
  sandbox: z.boolean().nullable(),
  /** Absent unless we started the browser, and in rows from before it was recorded. */
  isolation: z.enum(['bubblewrap', 'user', 'none']).optional(),
});

/** `setup_ms`: the time to sign in as the role, once. */
const RowAuth = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('form') }),
  z.strictObject({ by: z.literal('stored_state'), role: Name, setup_ms: Milliseconds }),
]);

/**
 * The use of a field. `measured`: null only with a reason. `spent`: by a model. `unseen`: null for an agent that drives the
 * browser itself. `outcome`: compared between two runs of one plan. `figure`: needed for figures and eligibility; `cell`:
 * likewise, and the same in most rows of a cell.
 */
type Trait = 'measured' | 'spent' | 'unseen' | 'outcome' | 'figure' | 'cell';

interface Field<S extends z.ZodType, T extends Trait> {
  schema: S;
  traits: readonly T[];
}

function field<S extends z.ZodType, T extends Trait = never>(schema: S, ...traits: T[]): Field<S, T> {
  return { schema, traits };
}

/** All fields except the hashes. */
const FIELDS = {
  schema_version: field(z.literal(2)),
  /** timestamp__model__task__surface__iteration */
  run_id: field(z.string().min(1)),
  /** Hash of plan, cell and iteration: the same on every machine. */
  episode_id: field(z.string().regex(/^[0-9a-f]{16,64}$/, 'is not 16 to 64 lower-case hexadecimal digits')),
  attempt: field(z.int().min(1)),
  /** Whether this attempt counts for its episode. */
  counts: field(z.boolean()),
  campaign_id: field(Name),
  suite: field(Name, 'outcome', 'cell'),
  task: field(Name, 'outcome', 'cell'),
  category: field(z.string().nullable(), 'outcome'),
  task_hash: field(Sha256, 'outcome', 'cell'),
  contract_hash: field(Sha256, 'outcome', 'cell'),
  instance: field(z.string(), 'outcome', 'cell'),
  seed: field(z.union([z.int(), z.string()]).nullable(), 'outcome'),
  agent: field(AgentName, 'outcome', 'cell'),
  model_id: field(z.string().nullable(), 'outcome', 'cell'),
  model_id_returned: field(z.string().nullable(), 'cell'),
  model_endpoint: field(z.string().nullable()),
  surface: field(Name, 'outcome', 'cell'),
  surface_version: field(z.string().nullable(), 'cell'),
  interaction: field(z.enum(['multi-turn', 'one-shot']), 'outcome'),
  iteration: field(Count, 'outcome', 'figure'),
  plan_index: field(Count, 'outcome'),
  /** Place in the order in which episodes started; null if this one never did. */
  executed_index: field(Count.nullable()),

  /** Derived from the four fields after it. */
  mode: field(Mode, 'outcome', 'cell'),
  world_kind: field(WorldKind, 'cell'),
  decider: field(Decider, 'cell'),
  endpoint_kind: field(EndpointKind, 'cell'),
  archive_hash: field(Sha256.nullable()),
  /** Null if no browser was started. */
  browser: field(BrowserIdentity.nullable(), 'cell'),

  bench_version: field(z.string().regex(/^\d[0-9A-Za-z.+-]*$/, 'is not a version')),
  bench_commit: field(
    z
      .string()
      .regex(/^[0-9a-f]{6,64}$/, 'is not a commit in lower-case hexadecimal')
      .nullable(),
  ),
  bench_dirty: field(z.boolean().nullable()),
  judge_version: field(z.string().min(1)),
  node_version: field(z.string().min(1)),
  /** Version of the NAC3 runtime in the page; null without one. */
  runtime_version: field(z.string().nullable(), 'cell'),
  manifest_checksum: field(
    z
      .string()
      .regex(/^[0-9a-f]{12}$/, 'is not the first 12 hexadecimal digits of a SHA-256')
      .nullable(),
    'cell',
  ),
  app_hash: field(Sha256.nullable(), 'cell'),
  runtime_hash: field(Sha256.nullable(), 'cell'),
  prompt_hash: field(Sha256.nullable(), 'cell'),
  tool_list_hash: field(Sha256.nullable(), 'cell'),
  qualification_hash: field(Sha256.nullable(), 'cell'),
  /** Present if the task's proof tried too little for a claim. */
  thin_proof: field(z.literal(true).exactOptional()),
  started_at: field(z.iso.datetime().nullable()),
  ended_at: field(z.iso.datetime().nullable()),

  temperature: field(z.number().nullable(), 'cell'),
  /** Null: not capped, because nothing of the kind is spent. */
  caps: field(
    z.strictObject({
      steps: Count,
      turns: Count.nullable(),
      wall_ms: Milliseconds,
      tokens: Count.nullable(),
      cost_usd: z.number().min(0).nullable(),
    }),
    'cell',
  ),
  timeouts: field(z.record(z.string().regex(/_ms$/, 'has no unit; end the name in "_ms"'), Milliseconds)),
  retry_policy: field(z.strictObject({ max_attempts: z.int().min(1), max_model_retries: Count })),
  isolation: field(Isolation.nullable()),
  /** The isolation in which a self-driving agent or a tool server ran; null without such a process. */
  process_isolation: field(z.strictObject({ by: ProcessIsolation, network: ProcessNetwork }).nullable(), 'cell'),
  /** Absent if episodes ran one after the other. */
  concurrency: field(Concurrency.exactOptional(), 'figure'),

  status: field(Status, 'outcome', 'cell'),
  stop: field(Stop.nullable(), 'outcome', 'cell'),
  /** Why it stopped; null if there is nothing to add. */
  detail: field(z.string().max(MAX_DETAIL_LENGTH).nullable()),
  /** The part of the entrant that broke; absent if only the agent did. */
  broke: field(Broken.exactOptional()),
  goal_verdict: field(Verdict.nullable(), 'outcome', 'cell'),
  guard_verdict: field(Verdict.nullable(), 'outcome', 'cell'),
  /** Compared by place and kind. */
  failed_contract: field(
    z.strictObject({ path: PathInTask, kind: Kind, expected: Json, observed: Json }).nullable(),
    'outcome',
  ),
  /** The milestones reached at the end; absent if its task has none, or it never ran. `share` is null if it is not known. */
  milestones: field(
    z
      .strictObject({ share: z.number().min(0).max(1).nullable(), reached: z.array(PathOfClause), of: Count })
      .exactOptional(),
  ),
  failure_category: field(FailureCategory.nullable(), 'outcome', 'cell'),
  declared_done: field(z.boolean(), 'outcome', 'cell'),
  answer: field(Answer.nullable(), 'outcome'),
  final_url: field(z.string().nullable(), 'outcome'),
  last_tool_call: field(z.strictObject({ tool: z.string(), args: Json }).nullable()),
  unsettled: field(z.boolean().nullable()),

  steps: field(Count.nullable(), 'measured', 'unseen', 'outcome', 'figure'),
  /** Model calls; and those repeated because the provider failed. */
  turns: field(Count.nullable(), 'measured', 'spent', 'unseen', 'outcome', 'figure'),
  model_retries: field(Count.nullable(), 'measured', 'spent', 'unseen'),
  tool_errors: field(Count.nullable(), 'measured', 'unseen', 'outcome', 'figure'),
  /** Calls that may do in one step what takes a user several; `differences` of `touchstone list --json` names them. */
  shortcut_calls: field(Count.nullable(), 'measured', 'unseen', 'figure'),
  retries: field(Count.nullable(), 'measured', 'figure'),
  no_progress_episodes: field(Count.nullable(), 'measured', 'unseen', 'outcome'),
  response_bytes: field(Count.nullable(), 'measured', 'unseen'),
  /** By the tokenizer o200k_base, for every model; so is `tool_list_tokens`. */
  response_tokens: field(Count.nullable(), 'measured', 'unseen'),
  /** Commands of the Chrome DevTools Protocol through our gateway. */
  cdp_commands: field(Count.nullable(), 'measured'),
  wall_ms: field(Milliseconds.nullable(), 'measured', 'figure'),
  model_ms: field(Milliseconds.nullable(), 'measured', 'spent', 'unseen', 'figure'),
  tool_ms: field(Milliseconds.nullable(), 'measured', 'unseen'),
  /** Until the surface was open and its tools listed; not part of `wall_ms`. */
  surface_open_ms: field(Milliseconds.nullable(), 'measured'),
  judge_ms: field(Milliseconds.nullable(), 'measured'),
  settle_ms: field(Milliseconds.nullable(), 'measured'),
  /** All tokens read, those from the provider's cache (`tokens_cached`) included. */
  tokens_in: field(Count.nullable(), 'measured', 'spent', 'unseen', 'figure'),
  tokens_out: field(Count.nullable(), 'measured', 'spent', 'unseen', 'figure'),
  tokens_cached: field(Count.nullable(), 'measured', 'spent', 'unseen', 'figure'),
  tool_list_tokens: field(Count.nullable(), 'measured'),
  cost_usd: field(z.number().min(0).nullable(), 'measured', 'spent', 'unseen', 'figure'),
  price_table: field(z.string().nullable(), 'measured', 'spent', 'unseen', 'cell'),

  /** Figures of a self-driving agent about itself, never mixed with measurements. */
  self_reported: field(
    z
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
  ),

  /** Actions by class of their target. */
  target_classes: field(Counts.nullable(), 'measured', 'unseen', 'outcome'),
  hallucination: field(Hallucination.nullable(), 'measured', 'unseen', 'outcome', 'cell'),
  script_calls: field(Count.nullable(), 'measured', 'unseen', 'outcome', 'figure'),
  off_archive: field(Count.nullable(), 'measured', 'outcome', 'cell'),
  /** The number of breaches of each rule of the harness. */
  violations: field(Counts.nullable(), 'measured', 'outcome'),
  /** The first refused requests; absent if there were none or the world no longer answered. */
  refused: field(z.array(RefusedRequest).max(MAX_REFUSED).exactOptional()),

  faults: field(z.array(FaultState), 'outcome', 'cell'),
  /** Whether the task still passed; null if no fault fired. */
  recovered: field(z.boolean().nullable(), 'outcome'),
  /** Absent if no sign-in was needed or reached. */
  auth: field(RowAuth.exactOptional(), 'cell'),

  /** Name → hash of a blob. */
  artifacts: field(z.record(z.string().min(1), Sha256)),
  /** Field → why it is null. */
  null_reasons: field(z.record(z.string(), z.string().min(1)), 'cell'),
};
type Fields = typeof FIELDS;

export const rowFields = schemasOf(FIELDS);

function schemasOf<F extends Record<string, Field<z.ZodType, Trait>>>(fields: F): { [N in keyof F]: F[N]['schema'] };
function schemasOf(fields: Record<string, Field<z.ZodType, Trait>>): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
}

type FieldWith<T extends Trait> = {
  [N in keyof Fields]: T extends Fields[N]['traits'][number] ? N : never;
}[keyof Fields];

export function fieldsWith<T extends Trait>(trait: T): FieldWith<T>[];
export function fieldsWith(trait: Trait): string[] {
  return Object.entries<Field<z.ZodType, Trait>>(FIELDS).flatMap(([name, { traits }]) =>
    traits.includes(trait) ? [name] : [],
  );
}

/** The part of an object with these fields, in their order. */
export function pick<R, K extends keyof R>(row: R, fields: readonly K[]): Pick<R, K>;
export function pick(row: Readonly<Record<string, unknown>>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((name) => [name, row[name]]));
}
