import type { Row } from '../bundle/row.ts';
import type { Judgement } from '../contract/judgement.ts';
import { messageFor } from '../messages/messages.ts';
import { blameText } from '../report/sentence.ts';
import { passedOf, sampleName } from './exported-bundle.ts';
import type { TurnMoment, CallMoment, EntrantMoves } from './moves.ts';

/** The name of the scorer. */
export const CONTRACT = 'contract';

interface SampleFacts extends EntrantMoves {
  goal: string;
  /** The value of a score that there is not. */
  unscored: string;
}

export type Sample = ReturnType<typeof sampleOf>;

/** An episode as a sample of inspect. */
export function sampleOf(row: Row, { goal, unscored, moments, judgements }: SampleFacts) {
  const model = row.model_id ?? `touchstone/${row.agent}`;
  const started = row.started_at;
  const messages = messagesOf(goal, moments);
  const passed = passedOf(row);
  const score = {
    value: passed === null ? unscored : passed ? 'C' : 'I',
    answer: answerText(row),
    explanation: [`${row.status}. ${blameText(row)}`, ...judgements.flatMap((each) => judgementLines(each))].join('\n'),
    metadata: {
      goal_verdict: row.goal_verdict,
      guard_verdict: row.guard_verdict,
      category: row.failure_category,
    },
    history: [],
  };
  const limit = limitOf(row);
  const [id, target] = [sampleName(row), ''];
  return {
    id,
    epoch: row.iteration + 1,
    input: goal,
    target,
    messages,
    output: { model, choices: [], completion: score.answer },
    scores: { [CONTRACT]: score },
    metadata: {
      episode_id: row.episode_id,
      run_id: row.run_id,
      record_hash: row.record_hash,
      status: row.status,
      steps: row.steps,
      tool_errors: row.tool_errors,
    },
    store: {},
    events:
      started === null
        ? []
        : eventsOf(moments, { started, model, score, ended: endOf(row), sample: { input: goal, target, id } }),
    model_usage: usageByModel([row]),
    role_usage: {},
    uuid: row.episode_id,
    attachments: {},
    ...(started === null ? {} : { started_at: started }),
    ...(row.ended_at === null ? {} : { completed_at: row.ended_at }),
    ...(row.wall_ms === null ? {} : { total_time: row.wall_ms / 1_000, working_time: row.wall_ms / 1_000 }),
    ...(limit === null ? {} : { limit }),
  };
}

interface SampleStart {
  started: string;
  model: string;
  ended: number;
  score: object;
  sample: object;
}

function eventsOf(moments: EntrantMoves['moments'], { started, model, ended, score, sample }: SampleStart): object[] {
  return [
    { ...eventAt(started, 0), event: 'sample_init', sample, state: {} },
    ...moments.map((moment) => momentEvent(moment, { started, model })),
    { ...eventAt(started, ended), event: 'score', score, intermediate: false },
  ];
}

function endOf({ started_at: started, ended_at: ended }: Row): number {
  return started === null || ended === null ? 0 : Date.parse(ended) - Date.parse(started);
}

function answerText({ answer }: Row): string {
  if (answer === null) return '';
  return 'value' in answer ? String(answer.value) : 'not possible';
}

/** A judgement, clause by clause. */
function judgementLines({ verdict, kind, expected, observed, why, children }: Judgement, indent = ''): string[] {
  const seen = observed === null ? '' : ` (${observed.preview})`;
  const own = `${indent}${verdict} ${kind}: ${messageFor(expected)}: ${messageFor(why)}${seen}`;
  return [own, ...children.flatMap((child) => judgementLines(child, `${indent}  `))];
}

function limitOf({ status, caps }: Row): { type: string; limit: number } | null {
  if (status === 'timeout') return { type: 'time', limit: caps.wall_ms / 1_000 };
  if (status === 'max_steps') return { type: 'custom', limit: caps.steps };
  if (status === 'max_turns') return { type: 'turn', limit: caps.turns ?? 0 };
  if (status !== 'budget_exceeded') return null;
  return caps.tokens === null ? { type: 'cost', limit: caps.cost_usd ?? 0 } : { type: 'token', limit: caps.tokens };
}

/** The conversation: the goal, then each move with its calls and their replies. */
function messagesOf(goal: string, moments: readonly (TurnMoment | CallMoment)[]): object[] {
  const messages: object[] = [{ role: 'user', content: goal, source: 'input' }];
  let calls: object[] | null = null;
  let replies: object[] = [];
  const flush = (): void => {
    messages.push(...replies);
    replies = [];
  };
  for (const moment of moments) {
    if (moment.kind === 'turn' || calls === null) {
      flush();
      calls = [];
      const content = moment.kind === 'turn' ? moment.text : '';
      messages.push({ role: 'assistant', content, source: 'generate', tool_calls: calls });
    }
    if (moment.kind === 'turn') continue;
    const { tool, args, text } = moment;
    calls.push({ id: callId(moment), function: tool, arguments: args, type: 'function' });
    const error = errorOf(moment);
    replies.push({
      role: 'tool',
      content: text,
      tool_call_id: callId(moment),
      function: tool,
      ...error,
    });
    // Without a model, each call is a move of its own.
    if (!moments.some(({ kind }) => kind === 'turn')) calls = null;
  }
  flush();
  return messages;
}

function callId({ step, reported }: CallMoment): string {
  return `${reported ? 'reported' : 'step'}-${step}`;
}

function errorOf({ ok, text }: CallMoment): { error?: object } {
  return ok === false ? { error: { type: 'unknown', message: text } } : {};
}

function momentEvent(
  moment: TurnMoment | CallMoment,
  { started, model }: Pick<SampleStart, 'started' | 'model'>,
): object {
  const { from, to } = moment;
  const when = {
    ...eventAt(started, from),
    completed: timeAt(started, to),
    working_time: (to - from) / 1_000,
  };
  if (moment.kind === 'call') {
    const { tool, args, text } = moment;
    const called = { id: callId(moment), function: tool, arguments: args, type: 'function' };
    return { ...when, event: 'tool', ...called, result: text, ...errorOf(moment), events: [] };
  }
  const message = { role: 'assistant', content: moment.text, source: 'generate' };
  return {
    ...when,
    event: 'model',
    model,
    input: [],
    tools: [],
    tool_choice: 'auto',
    config: {},
    output: {
      model: moment.model ?? model,
      choices: [{ message, stop_reason: 'unknown' }],
      completion: moment.text,
      ...(moment.tokens_in === null ? {} : { usage: inspectUsage(moment) }),
    },
    ...(moment.problem === null ? {} : { error: moment.problem }),
  };
}

function eventAt(started: string, ms: number): { timestamp: string; working_start: number } {
  return { timestamp: timeAt(started, ms), working_start: ms / 1_000 };
}

function timeAt(started: string, ms: number): string {
  return new Date(Date.parse(started) + ms).toISOString();
}

type Used = Pick<TurnMoment, 'tokens_in' | 'tokens_cached' | 'tokens_cache_written' | 'tokens_out' | 'cost_usd'>;

/** Inspect counts what was read from a cache, and written to it, apart from the rest. */
function inspectUsage({ tokens_in, tokens_cached, tokens_cache_written, tokens_out, cost_usd }: Used): object {
  const [all, cached, written] = [tokens_in ?? 0, tokens_cached ?? 0, tokens_cache_written ?? 0];
  return {
    input_tokens: Math.max(0, all - cached - written),
    output_tokens: tokens_out ?? 0,
    total_tokens: all + (tokens_out ?? 0),
    ...(tokens_cached === null ? {} : { input_tokens_cache_read: cached }),
    ...(tokens_cache_written === null ? {} : { input_tokens_cache_write: written }),
    ...(cost_usd === null ? {} : { total_cost: cost_usd }),
  };
}

/** The tokens of the rows by model. Rows do not say how many were written to a cache. */
export function usageByModel(rows: readonly Row[]): Record<string, object> {
  const known = rows.filter(({ model_id: model, tokens_in: read }) => model !== null && read !== null);
  const model = known[0]?.model_id;
  if (model === undefined || model === null) return {};
  const sum = (of: (row: Row) => number | null) => known.reduce((total, row) => total + (of(row) ?? 0), 0);
  const used = {
    tokens_in: sum((row) => row.tokens_in),
    tokens_cached: sum((row) => row.tokens_cached),
    tokens_cache_written: null,
    tokens_out: sum((row) => row.tokens_out),
    cost_usd: known.some((row) => row.cost_usd === null) ? null : sum((row) => row.cost_usd),
  };
  return { [model]: inspectUsage(used) };
}
