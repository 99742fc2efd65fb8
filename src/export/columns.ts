import type { Row } from '../bundle/row.ts';
import { passedOf } from './exported-bundle.ts';

/** A column of the table: flat and of one type. A value that was not measured is null. */
export interface TableColumn {
  name: string;
  type: 'STRING' | 'BOOLEAN' | 'INT64' | 'DOUBLE' | 'TIMESTAMP' | 'JSON';
  about: string;
  /** A JSON value; a time as ISO 8601. */
  of: (row: Row, goal: string) => unknown;
}

/** Columns of fields that a row has under the same name; docs/bundle.md describes them in full. */
const same = (type: TableColumn['type'], fields: Readonly<Partial<Record<keyof Row, string>>>): TableColumn[] =>
  Object.entries(fields).map(([name, about]) => ({ name, type, about, of: (row) => valueOf(row, name) }));

function valueOf(row: object, name: string): unknown {
  return Object.entries(row).find(([field]) => field === name)?.[1] ?? null;
}

const own = (name: string, type: TableColumn['type'], about: string, of: TableColumn['of']): TableColumn => ({
  name,
  type,
  about,
  of,
});

export const COLUMNS: readonly TableColumn[] = [
  ...same('STRING', {
    episode_id: 'names the episode: the same on every machine',
    run_id: 'names the attempt that counts',
    campaign_id: 'names the campaign',
    suite: 'the suite of the task',
    task: 'the task',
    instance: 'which instance of the task',
    category: 'the category of the task',
  }),
  own('goal', 'STRING', 'the goal, as the agent was given it', (_row, goal) => goal),
  ...same('STRING', {
    agent: 'the agent',
    surface: 'what the agent acted through',
    surface_version: 'the version that the surface reports',
    decider: 'who decided: model, process, baseline, transcript, reference or control',
    model_id: 'the model that was asked; null if none decided',
    model_id_returned: 'the model that its last reply names',
    mode: 'the origin of the row, derived from the facts',
    world_kind: 'what the pages were',
    endpoint_kind: 'the source of the replies of the model',
  }),
  ...same('INT64', { iteration: 'the repetition, from 0', plan_index: 'place in the plan, from 0' }),
  ...same('TIMESTAMP', { started_at: 'start of the attempt; null if it never ran', ended_at: 'its end' }),
  own(
    'passed',
    'BOOLEAN',
    'true or false; null if it could not be judged, never ran, or broke outside the entrant',
    passedOf,
  ),
  ...same('STRING', {
    status: 'the outcome in a word',
    stop: 'why the episode stopped',
    goal_verdict: 'pass, fail or inconclusive: what should be reached',
    guard_verdict: 'the same: what should not change',
    failure_category: 'why it did not pass; none after a pass',
    detail: 'words for the stop',
  }),
  own(
    'failed_path',
    'STRING',
    'the clause that decided against it',
    ({ failed_contract: failed }) => failed?.path ?? null,
  ),
  own('failed_kind', 'STRING', 'the kind of that clause', ({ failed_contract: failed }) => failed?.kind ?? null),
  ...same('JSON', {
    answer: 'the answer: {"value": …} or {"not_possible": true}',
    milestones: 'the milestones reached',
  }),
  ...same('STRING', { final_url: 'the address of the last active page' }),
  ...same('BOOLEAN', {
    declared_done: 'whether the agent reported done',
    unsettled: 'whether a page was still changing when it was captured',
    recovered: 'whether it passed although a fault fired; null without a fault',
  }),
  ...same('INT64', {
    steps: 'executed tool calls',
    tool_errors: 'tool calls that failed',
    turns: 'model calls',
    model_retries: 'model calls repeated after a failure of the provider',
    retries: 'attempts before this one',
    shortcut_calls: 'calls that do in one step what takes a user several',
    script_calls: 'calls that ran a script of the agent in a page',
    cdp_commands: 'commands to the browser',
    response_bytes: 'bytes of all replies of tools',
    response_tokens: 'tokens of all replies of tools, by o200k_base',
    tool_list_tokens: 'tokens of the list of tools, by o200k_base',
    tokens_in: 'tokens read, as the provider counts',
    tokens_cached: 'the part of tokens_in from its cache',
    tokens_out: 'tokens written, as the provider counts',
    off_archive: 'requests that the archive lacked; null without an archive',
  }),
  ...same('DOUBLE', {
    cost_usd: 'cost of these tokens at list prices, in US dollars',
    wall_ms: 'time of the part of the agent, in ms',
    model_ms: 'time in model calls, in ms',
    tool_ms: 'time in tool calls, in ms',
    judge_ms: 'time to judge, in ms',
    settle_ms: 'time until pages settled, in ms',
    surface_open_ms: 'time to open the surface, in ms; not part of wall_ms',
    temperature: 'temperature of the model',
  }),
  ...same('STRING', { hallucination: 'the worst outcome of a call at something that does not exist' }),
  ...same('JSON', {
    target_classes: 'calls by class of their target',
    violations: 'breaches of the rules of the harness, by rule',
    faults: 'the planned faults and what became of them',
    self_reported: 'what an agent counted itself; no measurement',
    caps: 'the limits of the episode',
    null_reasons: 'why a measured field is null, by field',
  }),
  own('browser_name', 'STRING', 'the browser', ({ browser }) => browser?.name ?? null),
  own('browser_version', 'STRING', 'its version', ({ browser }) => browser?.version ?? null),
  own('browser_kind', 'STRING', 'full, or shell if headless', ({ browser }) => browser?.kind ?? null),
  own('workers', 'INT64', 'how many episodes could run at once', ({ concurrency }) => concurrency?.workers ?? 1),
  ...same('STRING', {
    bench_version: 'the version of Touchstone',
    bench_commit: 'its commit; null if it was installed',
    judge_version: 'the version of the judge',
    task_hash: 'SHA-256 of the task',
    contract_hash: 'SHA-256 of its contract',
    outcome_hash: 'SHA-256 of what the same run repeats',
    record_hash: 'SHA-256 of the whole row',
  }),
];
