import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Row } from '../bundle/row.ts';
import { parsedOr } from '../contract/json.ts';
import { messageOf } from '../contract/message-of.ts';
import { blameText } from '../report/sentence.ts';
import { type ExportedBundle, type ExportFormat, passedOf, sampleName } from './exported-bundle.ts';
import { type TurnMoment, type CallMoment, movesOf } from './moves.ts';

/** Traces by OpenTelemetry's conventions for generative AI, as OTLP/JSON: one episode a line, as its file exporter writes them. */
export const OTEL: ExportFormat = {
  async write(bundle, folder) {
    const file = createWriteStream(path.join(folder, 'traces.jsonl'), { flags: 'wx' });
    await pipeline(Readable.from(traceLines(bundle)), file);
    return ['traces.jsonl'];
  },
};

async function* traceLines(bundle: ExportedBundle): AsyncGenerator<string> {
  for await (const trace of tracesOf(bundle)) yield `${JSON.stringify(trace)}\n`;
}

/** The reply of a collector that takes only a part. */
const PartialReply = z.object({
  partialSuccess: z.object({
    rejectedSpans: z.coerce.number(),
    errorMessage: z.string().optional(),
  }),
});

/** Posts each trace to the address of a collector, as JSON. Returns why it did not take one, or null. */
export async function postTraces(bundle: ExportedBundle, url: string): Promise<string | null> {
  for await (const trace of tracesOf(bundle)) {
    const why = await post(trace, url);
    if (why !== null) return why;
  }
  return null;
}

async function post(trace: object, url: string): Promise<string | null> {
  try {
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const reply = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(trace),
      redirect: 'error',
      signal,
    });
    const text = await reply.text();
    if (!reply.ok) return `it answered with ${reply.status}`;
    const rejected = PartialReply.safeParse(parsedOr(text, null)).data?.partialSuccess.rejectedSpans ?? 0;
    return rejected > 0 ? `it rejected ${rejected} spans` : null;
  } catch (error) {
    return messageOf(error);
  }
}

const PATIENCE_MS = 30_000;

/** A request to `/v1/traces` for each episode that began. */
async function* tracesOf(bundle: ExportedBundle): AsyncGenerator<object> {
  for (const row of bundle.rows) {
    if (row.started_at !== null) yield await traceOf(row, Date.parse(row.started_at), bundle);
  }
}

async function traceOf(row: Row, begun: number, { layout, source }: ExportedBundle): Promise<object> {
  const { moments } = await movesOf(layout, row);
  const trace = { traceId: idOf(`${row.episode_id}/${row.attempt}`, 32), begun };
  const root = episodeSpan(row, trace);
  const spans = moments.map((moment, at) => ({
    ...(moment.kind === 'turn' ? turnSpan(moment, row) : callSpan(moment)),
    traceId: trace.traceId,
    spanId: idOf(`${row.episode_id}/${row.attempt}/${at}`, 16),
    parentSpanId: root.spanId,
    startTimeUnixNano: nanoseconds(begun + moment.from),
    endTimeUnixNano: nanoseconds(begun + moment.to),
  }));
  const resource = {
    'service.name': 'touchstone',
    'service.version': row.bench_version,
    'touchstone.campaign_id': source.campaign_id,
    'touchstone.plan_hash': source.plan_hash,
    'touchstone.seal_hash': source.seal_hash,
  };
  const scope = { name: 'touchstone', version: source.touchstone };
  const scopeSpans = [{ scope, spans: [root, ...spans] }];
  return { resourceSpans: [{ resource: { attributes: attributes(resource) }, scopeSpans }] };
}

const [INTERNAL, CLIENT] = [1, 3];
const FAILED = 2;

function episodeSpan(row: Row, { traceId, begun }: { traceId: string; begun: number }) {
  const passed = passedOf(row);
  const isBroken = row.status === 'agent_error' || row.status === 'infra_error';
  const end = nanoseconds(row.ended_at === null ? begun : Date.parse(row.ended_at));
  const evaluation = {
    'gen_ai.evaluation.name': 'contract',
    'gen_ai.evaluation.score.label': row.status,
    // An episode without a verdict has a label and no score.
    'gen_ai.evaluation.score.value': passed === null ? null : Number(passed),
    'gen_ai.evaluation.explanation': blameText(row),
  };
  return {
    traceId,
    spanId: idOf(`${row.episode_id}/${row.attempt}/episode`, 16),
    name: `invoke_agent ${row.agent}`,
    kind: INTERNAL,
    startTimeUnixNano: nanoseconds(begun),
    endTimeUnixNano: end,
    attributes: attributes({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': row.agent,
      'gen_ai.request.model': row.model_id,
      'error.type': isBroken ? row.status : null,
      'touchstone.task': sampleName(row),
      'touchstone.surface': row.surface,
      'touchstone.iteration': row.iteration,
      'touchstone.episode_id': row.episode_id,
      'touchstone.record_hash': row.record_hash,
      'touchstone.status': row.status,
      'touchstone.goal_verdict': row.goal_verdict,
      'touchstone.guard_verdict': row.guard_verdict,
      'touchstone.cost_usd': row.cost_usd,
    }),
    events: [{ timeUnixNano: end, name: 'gen_ai.evaluation.result', attributes: attributes(evaluation) }],
    status: isBroken ? { code: FAILED, message: row.detail ?? row.status } : {},
  };
}

function turnSpan(turn: TurnMoment, row: Row): object {
  const model = row.model_id ?? turn.model;
  return {
    name: model === null ? 'chat' : `chat ${model}`,
    kind: CLIENT,
    attributes: attributes({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': model,
      'gen_ai.response.model': turn.model,
      'gen_ai.response.finish_reasons': turn.stop_reason === null ? null : [turn.stop_reason],
      'gen_ai.usage.input_tokens': turn.tokens_in,
      'gen_ai.usage.output_tokens': turn.tokens_out,
      'gen_ai.usage.cache_read.input_tokens': turn.tokens_cached,
      'gen_ai.usage.cache_creation.input_tokens': turn.tokens_cache_written,
      'server.address': row.model_endpoint,
      'error.type': turn.problem === null ? null : '_OTHER',
      'touchstone.reported_by_agent': turn.reported,
    }),
    status: turn.problem === null ? {} : { code: FAILED, message: turn.problem },
  };
}

function callSpan({ tool, step, args, ok, text, reported }: CallMoment): object {
  return {
    name: `execute_tool ${tool}`,
    kind: INTERNAL,
    attributes: attributes({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': `step-${step}`,
      'gen_ai.tool.call.arguments': JSON.stringify(args),
      'gen_ai.tool.call.result': ok === null ? null : text,
      'error.type': ok === false ? 'tool_error' : null,
      'touchstone.reported_by_agent': reported,
    }),
    status: ok === false ? { code: FAILED } : {},
  };
}

type Value = string | number | boolean | readonly string[] | null;

/** Leaves out what is null: an attribute that is missing was not measured. */
function attributes(values: Readonly<Record<string, Value>>): { key: string; value: object }[] {
  return Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [{ key, value: anyValue(value) }]));
}

function anyValue(value: NonNullable<Value>): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value !== 'number') return { arrayValue: { values: value.map(anyValue) } };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

function idOf(name: string, digits: number): string {
  return createHash('sha256').update(name).digest('hex').slice(0, digits);
}

function nanoseconds(ms: number): string {
  return `${BigInt(Math.round(ms)) * 1_000_000n}`;
}
