import canonicalize from 'canonicalize';
import { z } from 'zod';
import { ModelDrift, ModelError, withoutPictures } from './conversation.ts';
import { isFailure, MAX_REPLY_LENGTH, type Transport } from './patient.ts';

/** The parts of a request that are compared in this order; Google names two of them differently. */
const Request = z.looseObject({
  messages: z.array(z.unknown()).default([]),
  contents: z.array(z.unknown()).default([]),
  tools: z.array(z.unknown()).default([]),
  system: z.unknown().optional(),
  systemInstruction: z.unknown().optional(),
});

/** Texts that differ between two equal runs. Ids of calls are not among them: they come from the record. */
const VOLATILE: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['uuid', /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi],
  ['time', /\b\d{4}-\d{2}-\d{2}T\d{2}[:-]\d{2}[:-]\d{2}(?:[.,-]\d{1,6})?(?:Z|[+-]\d{2}:?\d{2})?/g],
  ['port', /(?<=\b(?:127\.0\.0\.1|localhost):)\d{2,5}\b/g],
];

/** Compares a request with the recorded one. @throws ModelDrift naming the first setting, tool or message that differs */
function refuseDrift(recorded: unknown, now: unknown, position: number): void {
  const [before, after] = [Request.safeParse(recorded), Request.safeParse(now)];
  const pairs: Pair[] =
    before.success && after.success
      ? [...settingsOf(before.data, after.data), ...partsOf(before.data, after.data)]
      : [['the body', recorded, now]];
  const other = pairs.find(([, was, is]) => fixed(was) !== fixed(is));
  if (other === undefined) return;
  const [name, was, is] = other;
  const [expected, actual] = around(fixed(was), fixed(is));
  throw new ModelDrift(`${name} of request ${position} as recorded, ${expected}`, `it is ${actual}`);
}

type Pair = [name: string, was: unknown, is: unknown];

function settingsOf(before: z.infer<typeof Request>, after: z.infer<typeof Request>): Pair[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !PARTS.has(name)).map((name) => [`"${name}"`, before[name], after[name]]);
}

const PARTS = new Set(Object.keys(Request.shape));

function partsOf(before: z.infer<typeof Request>, after: z.infer<typeof Request>): Pair[] {
  return [
    ['the system prompt', before.system ?? before.systemInstruction, after.system ?? after.systemInstruction],
    ...listed('tool', before.tools, after.tools),
    ...listed('message', [...before.messages, ...before.contents], [...after.messages, ...after.contents]),
  ];
}

function listed(name: string, before: readonly unknown[], after: readonly unknown[]): Pair[] {
  const longer = before.length > after.length ? before : after;
  return longer.map((_, index) => [`${name} ${index + 1}`, before[index], after[index]]);
}

/** One text for all requests that mean the same; half of a character, which has no canonical form, is replaced. */
function fixed(value: unknown): string {
  const text =
    value === undefined ? 'nothing' : (canonicalize(JSON.parse(JSON.stringify(value, wellFormed))) ?? 'nothing');
  return VOLATILE.reduce((whole, [name, pattern]) => whole.replaceAll(pattern, `<${name}>`), text);
}

const whole = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');

/** A replacer for JSON, which replaces the keys of an object when it meets the object. */
function wellFormed(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return whole(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [whole(key), part]));
}

const [BEFORE, AFTER] = [30, 120];

function around(was: string, is: string): [string, string] {
  let place = 0;
  while (place < was.length && was[place] === is[place]) place += 1;
  const start = Math.max(0, place - BEFORE);
  const shown = (text: string): string =>
    `${start > 0 ? '…' : ''}${text.slice(start, place + AFTER)}${text.length > place + AFTER ? '…' : ''}`;
  return [shown(was), shown(is)];
}

/** Longest name of a model or a host, in characters: every row of a replay has both. */
const MAX_NAME_LENGTH = 1_000;

export const CassetteHeader = z.strictObject({
  kind: z.literal('header'),
  schema_version: z.literal(1),
  suite: z.string(),
  task: z.string(),
  surface: z.string(),
  agent: z.string(),
  iteration: z.int().min(0),
  model_id: z.string().max(MAX_NAME_LENGTH),
  model_endpoint: z.string().max(MAX_NAME_LENGTH),
  date: z.iso.date(),
});
export type CassetteHeader = z.infer<typeof CassetteHeader>;

const CassetteExchange = z.strictObject({
  kind: z.literal('exchange'),
  request: z.unknown(),
  status: z.int(),
  reply: z.unknown().refine((reply) => bodyOf(reply).length <= MAX_REPLY_LENGTH, 'is longer than any reply'),
});
export type CassetteExchange = z.infer<typeof CassetteExchange>;

/** One episode's exchanges with a provider, in their order; secrets are replaced. JSON lines, the header first. */
export interface Cassette {
  header: CassetteHeader;
  exchanges: readonly CassetteExchange[];
}

function bodyOf(reply: unknown): string {
  return typeof reply === 'string' ? reply : (JSON.stringify(reply) ?? '');
}

/** @throws Error naming the bad line */
export function parseCassette(text: string, file: string): Cassette {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [first, ...rest] = lines;
  return {
    header: parseLine(CassetteHeader, first ?? '', `${file}:1`),
    exchanges: rest.map((line, index) => parseLine(CassetteExchange, line, `${file}:${index + 2}`)),
  };
}

function parseLine<T>(schema: z.ZodType<T>, line: string, place: string): T {
  const parsed = schema.safeParse(jsonOr(line, null));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${place}: is not a line of a cassette: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
}

type Redact = (text: string) => string;

/** Answers with the recorded replies, in their order. The transport rejects with ModelDrift when a request is not the recorded one. */
export function replaying({ exchanges }: Cassette, redact: Redact): Transport {
  let position = 0;
  return async ({ body }) => {
    const exchange = exchanges[position];
    position += 1;
    if (exchange === undefined) {
      const expected = `no more than the ${exchanges.length} requests that were recorded`;
      throw new ModelDrift(expected, `the agent made request ${position}`);
    }
    refuseDrift(exchange.request, requestIn(redact(body)), position);
    const { status, reply } = exchange;
    return { status, headers: {}, body: bodyOf(reply) };
  };
}

/** Passes on, and records the answers. Failures of the provider are not kept. */
export function recording(
  inner: Transport,
  redact: Redact,
  keep: (exchange: CassetteExchange) => Promise<void>,
): Transport {
  return async (request, signal) => {
    const reply = await inner(request, signal);
    if (isFailure(reply.status)) return reply;
    try {
      await keep({
        kind: 'exchange',
        request: requestIn(redact(request.body)),
        status: reply.status,
        reply: jsonOr(redact(reply.body), redact(reply.body)),
      });
    } catch (error) {
      throw new ModelError('refused', `its cassette could not be written: ${String(error)}`);
    }
    return reply;
  };
}

function requestIn(body: string): unknown {
  const text = withoutPictures(body);
  return jsonOr(text, text);
}

function jsonOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}
