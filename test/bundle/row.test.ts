import { describe, expect, test } from 'vitest';
import {
  campaignOutcomeHash,
  finishRow,
  rowHashes,
  MEASURED_FIELDS,
  Row,
  type Unhashed,
} from '../../src/bundle/row.ts';
import { rowFields } from '../../src/bundle/row-fields.ts';
import { SAMPLE } from './sample-row.ts';

/** For every field, a row that differs from the sample in that field alone. */
const CHANGES: Unhashed = {
  ...SAMPLE,
  schema_version: 2,
  run_id: 'other',
  episode_id: 'f'.repeat(64),
  attempt: 2,
  counts: false,
  campaign_id: 'other',
  suite: 'other',
  task: 'other',
  category: null,
  task_hash: '0'.repeat(64),
  contract_hash: '0'.repeat(64),
  instance: 'other',
  seed: 8,
  agent: 'other',
  model_id: 'other',
  model_id_returned: null,
  model_endpoint: null,
  surface: 'dom',
  surface_version: null,
  interaction: 'one-shot',
  iteration: 2,
  plan_index: 4,
  executed_index: 6,
  mode: 'mock',
  world_kind: 'real_app',
  decider: 'process',
  endpoint_kind: 'custom',
  archive_hash: null,
  browser: null,
  auth: { by: 'form' },
  broke: 'surface',
  thin_proof: true,
  milestones: { share: 0.5, reached: ['success.children[0]'], of: 2 },
  bench_version: '0.1.1',
  bench_commit: null,
  bench_dirty: true,
  judge_version: '2',
  node_version: 'v22.0.0',
  runtime_version: null,
  manifest_checksum: null,
  app_hash: null,
  runtime_hash: null,
  prompt_hash: null,
  tool_list_hash: null,
  qualification_hash: null,
  started_at: null,
  ended_at: null,
  temperature: 1,
  caps: { ...SAMPLE.caps, steps: 31 },
  timeouts: {},
  retry_policy: { max_attempts: 1, max_model_retries: 0 },
  isolation: 'browser',
  process_isolation: { by: 'none', network: 'shared' },
  concurrency: { workers: 2, load_average: 1.5, cores: 2 },
  status: 'inconclusive',
  stop: 'timeout',
  detail: 'the wall cap of 9000 ms',
  goal_verdict: 'inconclusive',
  guard_verdict: 'fail',
  failed_contract: null,
  failure_category: 'timeout',
  declared_done: false,
  answer: { not_possible: true },
  final_url: null,
  last_tool_call: null,
  unsettled: true,
  steps: 5,
  turns: 6,
  model_retries: 0,
  tool_errors: 2,
  shortcut_calls: 3,
  retries: 1,
  no_progress_episodes: 1,
  response_bytes: 1201,
  response_tokens: 301,
  surface_open_ms: 31,
  cdp_commands: 41,
  self_reported: null,
  wall_ms: 9001,
  model_ms: 7001,
  tool_ms: 901,
  judge_ms: 91,
  settle_ms: 601,
  tokens_in: 5001,
  tokens_out: 301,
  tokens_cached: 1001,
  tool_list_tokens: 401,
  cost_usd: 0.03,
  price_table: 'other',
  target_classes: { seen: 4 },
  hallucination: 'reached_succeeded',
  script_calls: 1,
  off_archive: 1,
  violations: {},
  refused: [{ address: 'http://b.test/', as: 'request', why: 'outside_world', times: 1 }],
  faults: [{ id: 'lost', kind: 'drop', armed: true, fired: true, cleared: true }],
  recovered: true,
  artifacts: {},
  null_reasons: { category: 'the task has none' },
};

const OUTCOME = new Set(
  `suite task category task_hash contract_hash instance seed agent model_id surface interaction iteration plan_index
  mode status stop goal_verdict guard_verdict failed_contract failure_category declared_done answer final_url
  steps turns tool_errors no_progress_episodes target_classes hallucination script_calls off_archive violations
  faults recovered milestones`.split(/\s+/),
);
const FIELDS = Object.keys(rowFields).filter((field) => field !== 'schema_version');

function changed(field: string): Row {
  const entry = Object.entries(CHANGES).filter(([name]) => name === field);
  return { ...SAMPLE, ...Object.fromEntries(entry) };
}

describe('a row', () => {
  test('matches the schema when it is finished', () => {
    expect(Row.parse(JSON.parse(JSON.stringify(SAMPLE)))).toEqual(SAMPLE);
  });

  test('is invalid with an unknown field, or without a required one', () => {
    expect(Row.safeParse({ ...SAMPLE, extra: 1 }).success).toBe(false);
    for (const field of Object.keys(SAMPLE)) {
      const without = Object.fromEntries(Object.entries(SAMPLE).filter(([name]) => name !== field));
      expect([field, Row.safeParse(without).success]).toEqual([field, false]);
    }
  });

  test.each(MEASURED_FIELDS)('may have null for %s only with a reason', (field) => {
    const unmeasured = { ...SAMPLE, [field]: null };
    expect(Row.safeParse(unmeasured).error?.issues).toMatchObject([{ path: [field] }]);
    expect(Row.safeParse({ ...unmeasured, null_reasons: { [field]: 'no provider says' } }).success).toBe(true);
  });

  test('gives no reason for a present value', () => {
    const row = { ...SAMPLE, null_reasons: { steps: 'not counted' } };
    expect(Row.safeParse(row).error?.issues).toMatchObject([{ path: ['null_reasons', 'steps'] }]);
  });

  test('cannot have a mode that its facts do not give', () => {
    const row = { ...SAMPLE, world_kind: 'facsimile' };
    expect(Row.safeParse(row).error?.issues).toMatchObject([{ path: ['mode'] }]);
    expect(Row.safeParse({ ...row, mode: 'facsimile' }).success).toBe(true);
  });

  const infraError: Partial<Row> = { status: 'infra_error', stop: 'infra_error', declared_done: false };
  const neverRan = { ...SAMPLE, stop: null, goal_verdict: null, guard_verdict: null, declared_done: false };

  test.each<[string, Partial<Row>]>([
    ['passed with a goal that fails', { status: 'passed' }],
    ['passed with guards that fail', { status: 'passed', goal_verdict: 'pass', guard_verdict: 'fail' }],
    ['passed with a goal that nobody judged', { status: 'passed', goal_verdict: null }],
    ['passed though the agent never said done', { status: 'passed', stop: 'max_steps', goal_verdict: 'pass' }],
    ['failed where nothing fails', { status: 'failed', goal_verdict: 'inconclusive' }],
    ['stopped by another cap than its own', { status: 'max_steps', stop: 'timeout' }],
    ['not applicable, and it stopped', { status: 'not_applicable' }],
    ['failed, and it never stopped', { ...neverRan, status: 'failed' }],
    ['passed, and it never stopped', { ...neverRan, status: 'passed' }],
  ])('cannot be %s', (_, parts) => {
    const { error } = Row.safeParse({ ...SAMPLE, ...parts });
    expect(error?.issues).toContainEqual(
      expect.objectContaining({ path: ['status'], message: expect.stringContaining('contradicts stop and verdicts') }),
    );
  });

  test.each<[string, Partial<Row>]>([
    ['passed with both verdicts', { status: 'passed', goal_verdict: 'pass' }],
    ['inconclusive with a goal that nobody judged', { status: 'inconclusive', goal_verdict: null }],
    [
      'stopped by a cap, whatever the verdicts',
      { status: 'max_steps', stop: 'max_steps', goal_verdict: 'pass', declared_done: false },
    ],
    ['not counted after an infrastructure error', { ...infraError, counts: false }],
    ['counted after an infrastructure error', infraError],
    ['not applicable without a stop', { ...neverRan, status: 'not_applicable', mode: 'skip' }],
    ['unavailable without a stop', { ...neverRan, status: 'unavailable', mode: 'skip' }],
  ])('can be %s', (_, parts) => {
    expect(Row.safeParse({ ...SAMPLE, ...parts }).error).toBeUndefined();
  });

  test.each<[string, Partial<Row>]>([
    ['counts', { counts: false }],
    ['counts', { counts: false, status: 'timeout', stop: 'timeout', declared_done: false }],
    ['declared_done', { declared_done: false }],
    ['declared_done', { ...infraError, declared_done: true }],
  ])('cannot contradict itself in %s', (field, parts) => {
    const { error } = Row.safeParse({ ...SAMPLE, ...parts });
    expect(error?.issues).toMatchObject([{ path: [field] }]);
  });

  test('replaces half of a surrogate pair from an agent', () => {
    expect(finishRow({ ...SAMPLE, answer: { value: 'a\ud800b' } }).answer).toEqual({ value: 'a\ufffdb' });
  });
});

describe('the hashes of a row', () => {
  const before = rowHashes(SAMPLE);

  test.each(FIELDS)('record_hash covers %s', (field) => {
    expect(rowHashes(changed(field)).record_hash).not.toBe(before.record_hash);
  });

  test.each(FIELDS.filter((field) => OUTCOME.has(field)))('outcome_hash covers %s', (field) => {
    expect(rowHashes(changed(field)).outcome_hash).not.toBe(before.outcome_hash);
  });

  test.each(FIELDS.filter((field) => !OUTCOME.has(field)))('outcome_hash leaves %s out', (field) => {
    expect(rowHashes(changed(field)).outcome_hash).toBe(before.outcome_hash);
  });

  test('outcome_hash takes path and kind of a failed contract, not the text found', () => {
    const failed_contract = { path: 'success.children.0', kind: 'dom_text', expected: 'other', observed: 'other' };
    expect(rowHashes({ ...SAMPLE, failed_contract }).outcome_hash).toBe(before.outcome_hash);
    const elsewhere = { ...failed_contract, path: 'success.children.1' };
    expect(rowHashes({ ...SAMPLE, failed_contract: elsewhere }).outcome_hash).not.toBe(before.outcome_hash);
  });

  test('show an edited row', () => {
    expect(rowHashes({ ...SAMPLE, wall_ms: 1 })).toEqual({
      record_hash: expect.not.stringMatching(SAMPLE.record_hash),
      outcome_hash: SAMPLE.outcome_hash,
    });
  });
});

describe('the outcome of a campaign', () => {
  const rows = [0, 1, 2].map((plan_index) => ({ ...SAMPLE, plan_index }));

  test('is the same for two runs that differ in times and ids only', () => {
    const again = rows.map((row) => ({ ...row, run_id: 'again', wall_ms: 1, started_at: null, executed_index: 9 }));
    expect(campaignOutcomeHash(again)).toBe(campaignOutcomeHash(rows));
  });

  test('differs if one row has another outcome, or is missing', () => {
    const [first, ...rest] = rows;
    expect(first).toBeDefined();
    const other = [{ ...SAMPLE, plan_index: 0, steps: 99 }, ...rest];
    expect(campaignOutcomeHash(other)).not.toBe(campaignOutcomeHash(rows));
    expect(campaignOutcomeHash(rest)).not.toBe(campaignOutcomeHash(rows));
  });

  test('does not rest on the hashes that rows claim for themselves', () => {
    const forged = rows.map((row) => ({ ...finishRow(row), status: 'passed' as const }));
    expect(campaignOutcomeHash(forged)).not.toBe(campaignOutcomeHash(rows));
  });

  test('needs the rows in plan order, one an episode', () => {
    expect(() => campaignOutcomeHash(rows.toReversed())).toThrow(expect.objectContaining({ code: 'plan_order' }));
    expect(() => campaignOutcomeHash([...rows, ...rows.slice(-1)])).toThrow(
      expect.objectContaining({ code: 'plan_order' }),
    );
  });
});

test.each([
  ['a recovery where no fault fired', { recovered: true }],
  [
    'a recovery of what was not passed',
    { recovered: true, faults: [{ id: 'lost', kind: 'drop' as const, armed: true, fired: true, cleared: true }] },
  ],
])('refuses %s', (_what, edit) => {
  expect(Row.safeParse({ ...SAMPLE, ...edit }).error?.issues[0]).toMatchObject({ path: ['recovered'] });
});
