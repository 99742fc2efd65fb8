import { createHash } from 'node:crypto';
import { finishRow, type Row } from '../../src/bundle/row.ts';

const hash = (digit: string) => digit.repeat(64);

/** Another task, judged by a contract of its own: with that of the sample it would be a copy of it. */
export function ofTask(task: string): Pick<Row, 'task' | 'contract_hash'> {
  return { task, contract_hash: createHash('sha256').update(task).digest('hex') };
}

/** A row with a value in every field that can have one, of an episode in which nothing was planned to go wrong. */
export const SAMPLE: Row = finishRow({
  schema_version: 2,
  run_id: '20260101T120000Z__model__checkout__aria__i1',
  episode_id: hash('e'),
  attempt: 1,
  counts: true,
  campaign_id: 'campaign',
  suite: 'basics',
  task: 'checkout',
  category: 'forms',
  task_hash: hash('1'),
  contract_hash: hash('2'),
  instance: 'default',
  seed: null,
  agent: 'model',
  model_id: 'vendor/model-1',
  model_id_returned: 'model-1-20260101',
  model_endpoint: 'api.vendor.example',
  surface: 'aria',
  surface_version: '1.0.0',
  interaction: 'multi-turn',
  iteration: 1,
  plan_index: 3,
  executed_index: 5,
  mode: 'live',
  world_kind: 'fixture_app',
  decider: 'model',
  endpoint_kind: 'provider',
  archive_hash: hash('3'),
  browser: { name: 'chromium', version: '156.0', build: 'r1', kind: 'full', ours: true, sandbox: true },
  bench_version: '0.1.0',
  bench_commit: 'abc123',
  bench_dirty: false,
  judge_version: '1',
  node_version: 'v20.19.0',
  runtime_version: '2.2.1',
  manifest_checksum: '67db3eef3658',
  app_hash: hash('4'),
  runtime_hash: hash('5'),
  prompt_hash: hash('6'),
  tool_list_hash: hash('7'),
  qualification_hash: hash('8'),
  started_at: '2026-01-01T12:00:00.000Z',
  ended_at: '2026-01-01T12:00:09.000Z',
  temperature: 0,
  caps: { steps: 30, turns: 30, wall_ms: 120_000, tokens: 100_000, cost_usd: 0.5 },
  timeouts: { tool_call_ms: 30_000 },
  retry_policy: { max_attempts: 3, max_model_retries: 2 },
  isolation: 'context',
  process_isolation: { by: 'bubblewrap', network: 'gateway' },
  status: 'failed',
  stop: 'done',
  detail: null,
  goal_verdict: 'fail',
  guard_verdict: 'pass',
  failed_contract: { path: 'success.children.0', kind: 'dom_text', expected: 'Thanks', observed: 'Your cart' },
  failure_category: 'wrong_end_state',
  declared_done: true,
  answer: { value: 'ordered' },
  final_url: 'http://shop.localhost/cart',
  last_tool_call: { tool: 'click', args: { ref: 'e7' } },
  unsettled: false,
  steps: 4,
  turns: 5,
  model_retries: 1,
  tool_errors: 1,
  shortcut_calls: 0,
  retries: 0,
  no_progress_episodes: 0,
  response_tokens: 12,
  surface_open_ms: 3,
  response_bytes: 1200,
  cdp_commands: 40,
  wall_ms: 9000,
  model_ms: 7000,
  tool_ms: 900,
  judge_ms: 90,
  settle_ms: 600,
  tokens_in: 5000,
  tokens_out: 300,
  tokens_cached: 1000,
  tool_list_tokens: 400,
  cost_usd: 0.02,
  price_table: '2026-01-01',
  self_reported: {
    steps: 4,
    tool_errors: 1,
    model_calls: 5,
    tokens_in: 5000,
    tokens_out: 300,
    tokens_cached: 1000,
    cost_usd: 0.02,
    model: 'model-1',
  },
  target_classes: { seen: 3, phantom: 1 },
  hallucination: 'filtered',
  script_calls: 0,
  off_archive: 0,
  violations: { extra_tab: 1 },
  faults: [],
  recovered: null,
  artifacts: { screenshot: hash('9') },
  null_reasons: {},
});

/** Edits of the sample: other outcomes, a control, and a fault that fired. */
export const PASSED = { status: 'passed', goal_verdict: 'pass', failed_contract: null } as const;
export const INCONCLUSIVE = { status: 'inconclusive', goal_verdict: 'inconclusive' } as const;
export const BROKEN = {
  status: 'infra_error',
  stop: 'infra_error',
  declared_done: false,
  goal_verdict: null,
  guard_verdict: null,
} as const;
const IDLE = { stop: null, mode: 'skip', declared_done: false } as const;
export const SKIPPED = { ...IDLE, status: 'not_applicable' } as const;
export const UNAVAILABLE = {
  ...IDLE,
  status: 'unavailable',
  steps: null,
  null_reasons: { steps: 'it is not installed' },
} as const;
export const CONTROL = { agent: 'null', decider: 'control', mode: 'control', endpoint_kind: 'none' } as const;
export const FIRED = { id: 'lost', kind: 'drop', armed: true, fired: true, cleared: true } as const;

/** Rows of a plan, each an edit of the sample. */
export function sampleRows(...edits: readonly Partial<Row>[]): Row[] {
  return edits.map((edit, at) => finishRow({ ...SAMPLE, plan_index: at, ...edit }));
}
