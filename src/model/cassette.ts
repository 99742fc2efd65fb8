import { z } from 'zod';
import { refuseDrift } from './drift.ts';
import { ModelDrift, ModelError } from './error.ts';
import { isFailure } from './patient.ts';
import { withoutPictures } from './pictures.ts';
import { MAX_REPLY_LENGTH, type Transport } from './transport.ts';

/** Longest name of a model or a host. Every row of a replay has both, and an unreadable row spoils its bundle. */
const MAX_NAME_LENGTH = 1_000;

/** The episode that a cassette belongs to, and who answered in it. */
export const CassetteHeader = z.strictObject({
  kind: z.literal('header'),
  schema_version: z.literal(1),
  suite: z.string(),
  task: z.string(),
  surface: z.string(),
  agent: z.string(),
  iteration: z.int().min(0),
  /** As in the row of the run that was recorded. */
  model_id: z.string().max(MAX_NAME_LENGTH),
  model_endpoint: z.string().max(MAX_NAME_LENGTH),
  date: z.iso.date(),
});
export type CassetteHeader = z.infer<typeof CassetteHeader>;

const CassetteExchange = z.strictObject({
  kind: z.literal('exchange'),
  request: z.unknown(),
  status: z.int(),
  /** The reply as JSON, else the text that it is; no longer than what is read of a provider. */
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

/** @throws Error naming the line that does not belong to a cassette. */
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
  throw new Error(`${place}: is no line of a cassette: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
}

export type Redact = (text: string) => string;

/**
 * Answers with what was recorded, one request after the other. Needs neither key nor network.
 * The transport rejects with ModelDrift when a request is not the one that was recorded in its place.
 */
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

/** Passes on, and writes down what was answered. Failures of the provider are not kept: they are no answers. */
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

/** A request as a cassette stores it, with a mark in place of each picture. */
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
