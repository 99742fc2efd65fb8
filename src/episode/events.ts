import { z } from 'zod';
import { Answer } from '../contract/evidence.ts';
import { JsonObject } from '../contract/json.ts';
import { MAX_REFUSED, RefusedRequest } from '../contract/refused-request.ts';
import { Judgement } from '../contract/judgement.ts';
import { Broken, InterruptedBy, Stop } from '../contract/status.ts';
import { FAULT_EVENTS } from '../fault/fault-record.ts';
import { TargetReport } from '../task/target.ts';
import { ReplyImage, ToolDefinition } from '../task/tool.ts';

const Moment = z.enum(['start', 'end']);
export type Moment = z.infer<typeof Moment>;

/** A value of more bytes is a blob. */
const MAX_INLINE_BYTES = 64 * 1024;

const Progress = z.enum(['progressing', 'stalling', 'stuck']);

const [FaultArmed, FaultFired, FaultObeyed, FaultCleared] = FAULT_EVENTS;

/** Stores a value as a blob and returns its name. */
export type Keep = (value: string | Buffer) => string;

/** The treatment of a kind of event in the record. */
interface Handling<E> {
  /** Moves long values to blobs. */
  shorten?: (event: E, keep: Keep) => E;
  /** The blobs of the event, by their names in a row. `lists`: lists of tools so far, with this one. */
  blobs?: (event: E, lists: number) => Record<string, string | null | undefined>;
  /** Duration of the work that the event ends. */
  ms?: (event: E) => number;
}

type Schema<T extends string, F extends z.ZodRawShape> = z.ZodObject<{ type: z.ZodLiteral<T> } & F, z.core.$strict>;

function kind<T extends string, F extends z.ZodRawShape>(
  type: T,
  fields: F,
  handling: Handling<z.infer<Schema<T, F>>> = {},
): { schema: Schema<T, F>; handling: Handling<z.infer<Schema<T, F>>> } {
  return { schema: z.strictObject({ type: z.literal(type), ...fields }), handling };
}

/** Every kind of event: its fields, and how it is recorded. */
const KINDS = {
  /** The cell cannot run; the only event of its attempt. */
  impossible: kind('impossible', { status: z.enum(['not_applicable', 'unavailable']), why: z.string() }),
  /** Recorded replies of this model are replayed. */
  replayed: kind('replayed', { model_id: z.string(), model_endpoint: z.string().nullable() }),
  /** The episode's browser is of the pinned build, and we did not launch it. */
  browser_not_ours: kind('browser_not_ours', {}),
  /** The task needs a login, and the episode has its browser. */
  signed_in: kind('signed_in', {
    /** Time of the role's one login in the campaign; null if the agent has to sign in. */
    setup_ms: z.number().min(0).nullable(),
  }),
  reset: kind('reset', { task: z.string(), start_url: z.string(), surface: z.string(), agent: z.string() }),
  opened: kind(
    'opened',
    {
      /** As the surface reports it; null if it reports none. */
      surface_version: z.string().nullable(),
      open_ms: z.number().min(0),
    },
    { ms: ({ open_ms: ms }) => ms },
  ),
  /** The tools that the surface offers the agent. */
  tools: kind(
    'tools',
    {
      names: z.array(z.string()),
      /** SHA-256 of the canonical JSON of the list. */
      tool_list_hash: z.string(),
      /** Tokens of the list; null if they are not counted. */
      tokens: z.int().nullable(),
      tools: z.array(ToolDefinition),
      /** The list as JSON; `tools` is empty then. */
      tools_blob: z.string().nullable(),
    },
    {
      shorten: (event, keep) => ({ ...event, tools: [], tools_blob: keep(JSON.stringify(event.tools)) }),
      blobs: ({ tools_blob: blob }, lists) => ({ [lists === 1 ? 'tools' : `tools_${lists}`]: blob }),
    },
  ),
  /** The agent is ready for its first move. */
  agent_begun: kind('agent_begun', {}),
  /** The entrant has ended, or could not begin. */
  acted: kind(
    'acted',
    {
      /** The agent's part of the time; 0 if it could not begin. */
      wall_ms: z.number().min(0),
    },
    { ms: ({ wall_ms: ms }) => ms },
  ),
  call: kind(
    'call',
    {
      step: z.int(),
      tool: z.string(),
      args: JsonObject,
      /** Long arguments as JSON; `args` is empty then. */
      args_blob: z.string().nullable(),
      /** The step of the solution or near-miss, counted from 1; a step may take several calls. */
      written_step: z.int().min(1).optional(),
    },
    {
      shorten: (event, keep) => {
        const args = JSON.stringify(event.args);
        return isLong(args) ? { ...event, args: {}, args_blob: keep(args) } : event;
      },
      blobs: ({ step, args_blob: blob }) => ({ [`args_${step}`]: blob }),
    },
  ),
  /** The reply to a call. */
  result: kind(
    'result',
    {
      step: z.int(),
      tool: z.string(),
      ok: z.boolean(),
      kind: z.string(),
      text: z.string(),
      /** The whole of a text that was cut. */
      text_blob: z.string().nullable(),
      /** A picture next to the text; in a record it is a blob. */
      image: ReplyImage.optional(),
      image_blob: z.string().optional(),
      /** Length of the whole text, in UTF-8. */
      bytes: z.int(),
      /** Tokens of the agent's part of the text; null if they are not counted. */
      tokens: z.int().min(0).nullable(),
      tool_ms: z.number().min(0),
      url: z.string(),
      /** The surface's own status; null if it reports none. */
      progress: Progress.nullable(),
      /** Hash of the `PageState`; null if the browser was not at rest. */
      page_state_sha256: z.string().nullable(),
      /** Null if the call had none. */
      target: TargetReport.nullable(),
    },
    {
      shorten: ({ image, ...event }, keep) => ({
        ...event,
        ...(isLong(event.text) ? { text: beginningOf(event.text), text_blob: keep(event.text) } : {}),
        ...(image === undefined ? {} : { image_blob: keep(Buffer.from(image.base64, 'base64')) }),
      }),
      blobs: ({ step, text_blob: text, image_blob: image }) => ({
        [`reply_${step}`]: text,
        [`picture_${step}`]: image,
      }),
      ms: ({ tool_ms: ms }) => ms,
    },
  ),
  /** A model is asked. */
  turn: kind(
    'turn',
    {
      turn: z.int(),
      /** Body of the request; empty if it is a blob. */
      request: z.string(),
      request_blob: z.string().nullable(),
    },
    {
      // Each holds the whole conversation so far.
      shorten: (event, keep) => ({ ...event, request: '', request_blob: keep(event.request) }),
      blobs: ({ turn, request_blob: blob }) => ({ [`turn_${turn}_request`]: blob }),
    },
  ),
  /** The provider failed, and is asked again. */
  turn_retried: kind('turn_retried', { turn: z.int(), why: z.string(), wait_ms: z.number().min(0) }),
  /** Something outside the entrant ended the attempt, which does not count. */
  interrupted: kind('interrupted', { cause: InterruptedBy, why: z.string() }),
  /** The model has replied, or will not. */
  turn_ended: kind(
    'turn_ended',
    {
      turn: z.int(),
      /** Body of the reply; empty if none came or it is a blob. */
      reply: z.string(),
      reply_blob: z.string().nullable(),
      /** Why the reply could not be used; null if it could. */
      problem: z.string().nullable(),
      stop_reason: z.string().nullable(),
      /** As named in the reply. */
      model: z.string().nullable(),
      model_ms: z.number().min(0).nullable(),
      tokens_in: z.int().min(0).nullable(),
      /** The part of `tokens_in` that was read from the provider's cache, and written to it. */
      tokens_cached: z.int().min(0).nullable(),
      tokens_cache_written: z.int().min(0).nullable(),
      tokens_out: z.int().min(0).nullable(),
      cost_usd: z.number().min(0).nullable(),
    },
    {
      shorten: (event, keep) => (event.reply === '' ? event : { ...event, reply: '', reply_blob: keep(event.reply) }),
      blobs: ({ turn, reply_blob: blob }) => ({ [`turn_${turn}_reply`]: blob }),
      ms: ({ model_ms: ms }) => ms ?? 0,
    },
  ),
  /** The commands of a tool or agent that attaches to the browser, as the gateway counted them. */
  gateway: kind('gateway', {
    commands: z.int(),
    /** Commands that press keys, move the mouse, touch or type. */
    inputs: z.int(),
    /** Number of each, most frequent first. */
    methods: z.record(z.string(), z.int()),
    /** Refusals that are not violations, by command. */
    refused: z.record(z.string(), z.int()),
    /** The steps in which the agent ran a script of its own in a page. */
    script_steps: z.array(z.int()),
  }),
  /** Isolation of the process of a self-driving agent or of a tool server. */
  isolated: kind('isolated', { by: z.enum(['bubblewrap', 'user', 'none']), network: z.enum(['gateway', 'shared']) }),
  /** A step that a self-driving agent reports. Only the URL is observed. */
  reported_step: kind('reported_step', {
    step: z.int(),
    tool: z.string(),
    args: JsonObject,
    ok: z.boolean(),
    text: z.string(),
    url: z.string(),
  }),
  /** A model call that a self-driving agent reports. */
  reported_usage: kind('reported_usage', {
    input_tokens: z.int().min(0),
    output_tokens: z.int().min(0),
    cached_tokens: z.int().min(0).nullable(),
    cost_usd: z.number().min(0).nullable(),
    model: z.string().nullable(),
  }),
  /** The end of a self-driving agent's output that is not part of the protocol. */
  printed: kind('printed', {
    text: z.string(),
    /** Size of all such output. */
    bytes: z.int(),
  }),
  /** Evidence is stored, before it is judged. */
  captured: kind(
    'captured',
    {
      moment: Moment,
      /** A blob. */
      evidence: z.string(),
      /** Null if none could be taken. */
      screenshot: z.string().nullable(),
    },
    {
      blobs: ({ moment, evidence, screenshot }) => ({
        [`evidence_${moment}`]: evidence,
        [`screenshot_${moment}`]: screenshot,
      }),
    },
  ),
  contract_evaluation: kind('contract_evaluation', {
    moment: Moment,
    contract: z.enum(['success', 'guards']),
    judgement: Judgement,
  }),
  /** Both contracts are evaluated. */
  judged: kind(
    'judged',
    {
      moment: Moment,
      /** Whether the page had not settled when it was captured. */
      unsettled: z.boolean(),
      /** Address of the last active page: as captured, or else as the browser reports it; empty if no page is open. */
      url: z.string(),
      settle_ms: z.number().min(0),
      judge_ms: z.number().min(0),
    },
    { ms: ({ settle_ms: settle, judge_ms: judge }) => settle + judge },
  ),
  stop: kind('stop', {
    stop: Stop,
    detail: z.string().nullable(),
    answer: Answer.nullable(),
    /** Absent if nothing but the agent broke. */
    broke: Broken.exactOptional(),
  }),
  /** Facts about pages, world and gateway; the last event. */
  surroundings: kind('surroundings', {
    /** As the page's NAC3 runtime reports it. */
    runtime_version: z.string().nullable(),
    manifest_checksum: z.string().nullable(),
    runtime_hash: z.string().nullable(),
    off_archive: z.int().nullable(),
    violations: z.record(z.string(), z.int()),
    /** Absent if the world refused none or no longer answered, and in events from before they were named. */
    refused: z.array(RefusedRequest).max(MAX_REFUSED).exactOptional(),
  }),
  /** Playwright's trace of the attempt, if one was requested. */
  trace: kind(
    'trace',
    {
      /** A zip, or null. */
      blob: z.string().nullable(),
      /** Why it is missing. */
      why: z.string().nullable(),
    },
    { blobs: ({ blob }) => ({ trace: blob }) },
  ),
  /** A picture of the active tab after a step, for people. */
  picture: kind(
    'picture',
    {
      step: z.int(),
      /** A JPEG. */
      blob: z.string(),
      /** Size of the viewport, in CSS pixels. */
      width: z.number().positive(),
      height: z.number().positive(),
      /** The last press of the mouse in the step, in CSS pixels; null if there was none. */
      press: z.strictObject({ x: z.number(), y: z.number() }).nullable(),
    },
    { blobs: ({ step, blob }) => ({ [`film_${step}`]: blob }) },
  ),
  'fault.armed': { schema: FaultArmed, handling: {} },
  'fault.fired': { schema: FaultFired, handling: {} },
  'fault.obeyed': { schema: FaultObeyed, handling: {} },
  'fault.cleared': { schema: FaultCleared, handling: {} },
};

const { impossible, ...others } = KINDS;
export const EpisodeEvent = z.discriminatedUnion('type', [
  impossible.schema,
  ...Object.values(others).map(({ schema }) => schema),
]);
export type EpisodeEvent = z.infer<typeof EpisodeEvent>;
export type EventType = EpisodeEvent['type'];
export type EventOf<T extends EventType> = Extract<EpisodeEvent, { type: T }>;

const HANDLING: { readonly [T in EventType]: { handling: Handling<EventOf<T>> } } = KINDS;

function handlingOf<T extends EventType>(type: T): Handling<EventOf<T>> {
  return HANDLING[type].handling;
}

/** Returns an event as the record holds it, with long values in blobs. */
export function withBlobs<T extends EventType>(event: EventOf<T> & { type: T }, keep: Keep): EventOf<T> {
  return handlingOf(event.type).shorten?.(event, keep) ?? event;
}

/** Returns the blobs of an event, by their names in a row. `lists`: lists of tools so far, with this one. */
export function blobsIn<T extends EventType>(event: EventOf<T> & { type: T }, lists: number): Record<string, string> {
  const named = Object.entries(handlingOf(event.type).blobs?.(event, lists) ?? {});
  return Object.fromEntries(named.flatMap(([name, blob]) => (typeof blob === 'string' ? [[name, blob]] : [])));
}

export function durationOf<T extends EventType>(event: EventOf<T> & { type: T }): number {
  return handlingOf(event.type).ms?.(event) ?? 0;
}

function isLong(text: string): boolean {
  return Buffer.byteLength(text) > MAX_INLINE_BYTES;
}

function beginningOf(text: string): string {
  return Buffer.from(text).subarray(0, MAX_INLINE_BYTES).toString('utf8');
}

export const RecordedEvent = z.strictObject({
  schema_version: z.literal(2),
  /** Counts from 1. */
  seq: z.int(),
  /** Since the attempt began. */
  at_ms: z.int(),
  event: EpisodeEvent,
});
export type RecordedEvent = z.infer<typeof RecordedEvent>;
