import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import protobuf from 'protobufjs';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { OTEL } from '../../src/export/otel.ts';
import { touchstone } from '../cli/touchstone.ts';
import { committedBundle } from '../committed-bundle.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { SOURCE, toExport } from './exported.ts';
import { modelBundle } from './model-bundle.ts';

const STRESS = await committedBundle('stress');

const Attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const Span = z.looseObject({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(Attribute),
  events: z.array(z.looseObject({ attributes: z.array(Attribute) })).optional(),
});
const Trace = z.object({
  resourceSpans: z.tuple([
    z.looseObject({
      resource: z.object({ attributes: z.array(Attribute) }),
      scopeSpans: z.tuple([z.looseObject({ spans: z.array(Span) })]),
    }),
  ]),
});
type Trace = z.infer<typeof Trace>;

async function tracesOf(bundle: string): Promise<Trace[]> {
  const folder = await temporaryFolder();
  const [file = ''] = await OTEL.write(await toExport(bundle), folder);
  const lines = (await readFile(path.join(folder, file), 'utf8')).trim().split('\n');
  return lines.map((line) => Trace.parse(JSON.parse(line)));
}

function spansOf(trace: Trace | undefined): z.infer<typeof Span>[] {
  return trace?.resourceSpans[0].scopeSpans[0].spans ?? [];
}

function valuesOf(attributes: readonly z.infer<typeof Attribute>[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** Reads a trace by the definitions of OpenTelemetry, and writes it again; ids are Base64 there and hexadecimal in OTLP/JSON. */
async function readAgain(trace: unknown): Promise<unknown> {
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) => path.join(import.meta.dirname, 'fixtures', 'otlp', path.basename(target));
  await root.load('trace_service.proto');
  const request = root.lookupType('opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest');
  const ids = (from: BufferEncoding, to: BufferEncoding, value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (name: string, each: unknown) =>
      /^(?:trace|span|parentSpan)Id$/.test(name) && typeof each === 'string'
        ? Buffer.from(each, from).toString(to)
        : each,
    );
  const object = ids('hex', 'base64', trace);
  const message = request.fromObject(z.record(z.string(), z.unknown()).parse(object));
  const bytes = request.encode(message).finish();
  return ids('base64', 'hex', request.toObject(request.decode(bytes), { longs: String, bytes: String, enums: Number }));
}

test('a trace survives the definitions of OpenTelemetry, field by field', async () => {
  for (const trace of [...(await tracesOf(STRESS)), ...(await tracesOf(await modelBundle()))]) {
    expect(await readAgain(trace)).toEqual(trace);
  }
});

test('a field that these definitions lack does not', async () => {
  const [trace] = await tracesOf(STRESS);
  const other = { ...trace, resourceSpans: [{ ...trace?.resourceSpans[0], verdict: 1 }] };
  expect(await readAgain(other)).toEqual(trace);
});

test('an episode is a span, with those of its model calls and tool calls in it', async () => {
  const [root, ...others] = spansOf((await tracesOf(await modelBundle()))[0]);
  expect(others.map(({ name }) => name)).toEqual(['chat vendor/model-1', 'execute_tool click', 'execute_tool fill']);
  expect(others.every(({ parentSpanId, traceId }) => parentSpanId === root?.spanId && traceId === root?.traceId)).toBe(
    true,
  );
  expect(valuesOf(others[0]?.attributes)).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'vendor/model-1',
    'gen_ai.usage.input_tokens': '1000',
    'gen_ai.usage.output_tokens': '50',
  });
  expect(valuesOf(others[2]?.attributes)).toMatchObject({
    'gen_ai.tool.call.arguments': '{"ref":"e2","text":"[secret:PIN]"}',
    'error.type': 'tool_error',
  });
});

test('a trace names the seal', async () => {
  const [trace] = await tracesOf(STRESS);
  expect(valuesOf(trace?.resourceSpans[0].resource.attributes)).toMatchObject({
    'touchstone.seal_hash': SOURCE.seal_hash,
  });
});

test('a pass is scored, and an end without a verdict is not', async () => {
  const scores = new Map<unknown, unknown>();
  for (const trace of await tracesOf(STRESS)) {
    const evaluation = valuesOf(spansOf(trace)[0]?.events?.[0]?.attributes);
    scores.set(evaluation['gen_ai.evaluation.score.label'], evaluation['gen_ai.evaluation.score.value']);
  }
  expect(scores.get('passed')).toBe('1');
  expect(scores.get('agent_error')).toBe('0');
  expect(scores.get('not_applicable')).toBeUndefined();
});

/** A collector that keeps what it gets. */
async function collector(status: number, reply: string): Promise<{ url: string; received: unknown[] }> {
  const received: unknown[] = [];
  const server = createServer();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received.push(JSON.parse(await text(request)));
    response.writeHead(status, { 'content-type': 'application/json' }).end(reply);
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void take(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const address: AddressInfo | string | null = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1/traces`,
    received,
  };
}

async function posted(url: string) {
  const out = path.join(await temporaryFolder(), 'out');
  return {
    folder: out,
    ...(await touchstone('export', STRESS, '--format', 'otel', '--out', out, '--to', url)),
  };
}

test('--to posts each trace', async () => {
  const { url, received } = await collector(200, '{}');
  const { exit, folder } = await posted(url);
  expect(exit).toBe(0);
  const lines = (await readFile(path.join(folder, 'traces.jsonl'), 'utf8')).trim().split('\n');
  expect(received).toEqual(lines.map((line) => JSON.parse(line)));
});

test.each([
  [503, '', 'it answered with 503'],
  [200, '{"partialSuccess":{"rejectedSpans":"2"}}', 'it rejected 2 spans'],
])('a collector that answers %i %s is reported', async (status, reply, why) => {
  const { url } = await collector(status, reply);
  expect(await posted(url)).toMatchObject({ exit: 2, err: expect.stringContaining(why) });
});

test('--to is refused for other formats', async () => {
  const { exit, err } = await touchstone(
    'export',
    STRESS,
    '--format',
    'har',
    '--out',
    '/tmp/none',
    '--to',
    'http://a/',
  );
  expect([exit, err]).toEqual([2, expect.stringContaining('--to posts traces')]);
});
