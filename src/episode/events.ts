import { z } from 'zod';
import { Answer } from '../contract/evidence.ts';
import { JsonObject } from '../contract/json.ts';
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

/** Stores a long value as a blob, and returns its name. */
export type Keep = (value: string | Buffer) => string;

/** Defines how the record treats a kind of event. */
interface Handling<E> {
  /** Moves values that are too long for a line of the record to blobs. */
  shorten?: (event: E, keep: Keep) => E;
  /** The blobs that it names, by their names in a row. `lists`: lists of tools so far, with this one. */
  blobs?: (event: E, lists: number) => Record<string, string | null | undefined>;
  /** Duration of what it reports, if that ended with it. */
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
  /** The cell cannot be run, so nobody has begun; the only event of its attempt. */
  impossible: kind('impossible', { status: z.enum(['not_applicable', 'unavailable']), why: z.string() }),
  /** The model that recorded replies are of: they are replayed, and it is not asked. */
  replayed: kind('replayed', { model_id: z.string(), model_endpoint: z.string().nullable() }),
  /** The episode's browser is of the pinned build, and we did not launch it. */
  browser_not_ours: kind('browser_not_ours', {}),
  /** The task is one behind a login, and the episode came to its browser. */
  signed_in: kind('signed_in', {
    /** Time to sign in the role that the episode begins as, in ms, once in the campaign; null where the agent is to sign in itself. */
    setup_ms: z.number().min(0).nullable(),
  }),
  reset: kind('reset', { task: z.string(), start_url: z.string(), surface: z.string(), agent: z.string() }),
  /** The surface is open. */
  opened: kind(
    'opened',
    {
      /** As it calls itself; null where it has no word of its own. */
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
      /** Tokens of the list; null where they are not counted. */
      tokens: z.int().nullable(),
      tools: z.array(ToolDefinition),
      /** Where the list is, as JSON, when it does not stand here; `tools` is then empty. */
      tools_blob: z.string().nullable(),
    },
    {
      shorten: (event, keep) => ({ ...event, tools: [], tools_blob: keep(JSON.stringify(event.tools)) }),
      blobs: ({ tools_blob: blob }, lists) => ({ [lists === 1 ? 'tools' : `tools_${lists}`]: blob }),
    },
  ),
  /** The agent has its seat, and is asked for its first move. */
  agent_begun: kind('agent_begun', {}),
  /** The entrant has done what it did, or could not begin. */
  acted: kind(
    'acted',
    {
      /** The agent's part of the time; 0 when it could not begin. */
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
      /** Where the arguments are, as JSON, when they are too long to stand here; `args` is then empty. */
      args_blob: z.string().nullable(),
      /** The step of a solution or near-miss that it is for, counted from 1; a step may take several calls. */
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
  /** The reply to a call, which the agent observes. */
  result: kind(
    'result',
    {
      step: z.int(),
      tool: z.string(),
      ok: z.boolean(),
      kind: z.string(),
      text: z.string(),
      /** Where the whole text is when `text` was cut. */
      text_blob: z.string().nullable(),
      /** The picture beside the text; in a record it is a blob. */
      image: ReplyImage.optional(),
      image_blob: z.string().optional(),
      /** Length of the whole text as the surface gave it, in UTF-8 bytes. */
      bytes: z.int(),
      /** Tokens of the part that the agent was given; null where they are not counted. */
      tokens: z.int().min(0).nullable(),
      tool_ms: z.number().min(0),
      url: z.string(),
      /** The surface's own status then; null where it has none or does not tell. */
      progress: Progress.nullable(),
      /** The browser's state then, as `PageState` has it; null while it was not at rest. */
      page_state_sha256: z.string().nullable(),
      /** The call's target; null when it had none. */
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
      /** The body of the request. */
      request: z.string(),
      /** Where it is when it does not stand here; `request` is then empty. */
      request_blob: z.string().nullable(),
    },
    {
      // Each request holds the whole conversation so far.
      shorten: (event, keep) => ({ ...event, request: '', request_blob: keep(event.request) }),
      blobs: ({ turn, request_blob: blob }) => ({ [`turn_${turn}_request`]: blob }),
    },
  ),
  /** The provider failed, and is asked once more. */
  turn_retried: kind('turn_retried', { turn: z.int(), why: z.string(), wait_ms: z.number().min(0) }),
  /** Something from outside the entrant ended its part: nothing of the attempt counts. */
  interrupted: kind('interrupted', { cause: InterruptedBy, why: z.string() }),
  /** The asking has ended, with a reply or without one. */
  turn_ended: kind(
    'turn_ended',
    {
      turn: z.int(),
      /** The body of the reply; empty where none came, or where it is in a blob. */
      reply: z.string(),
      reply_blob: z.string().nullable(),
      /** Why there was nothing to act on; null when there was. */
      problem: z.string().nullable(),
      stop_reason: z.string().nullable(),
      /** As the reply names it. */
      model: z.string().nullable(),
      model_ms: z.number().min(0).nullable(),
      tokens_in: z.int().min(0).nullable(),
      /** Input tokens among these that were read from the provider's cache, and written to it. */
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
  /** All that a tool from outside has asked of the browser, as the gateway saw it. */
  gateway: kind('gateway', {
    commands: z.int(),
    /** Commands that press keys, move the mouse, touch or type. */
    inputs: z.int(),
    /** Number of times that each was sent, the most frequent first. */
    methods: z.record(z.string(), z.int()),
    /** Refusals that are no violation, by command. */
    refused: z.record(z.string(), z.int()),
    /** The steps with which the agent brought a script of its own into a page. */
    script_steps: z.array(z.int()),
  }),
  /** Isolation of the process of a self-driving agent or of a tool server. */
  isolated: kind('isolated', { by: z.enum(['bubblewrap', 'user', 'none']), network: z.enum(['gateway', 'shared']) }),
  /** A step that a self-driving agent says it has taken. We saw only what came of it: the URL. */
  reported_step: kind('reported_step', {
    step: z.int(),
    tool: z.string(),
    args: JsonObject,
    ok: z.boolean(),
    text: z.string(),
    url: z.string(),
  }),
  /** The usage of a model call, as a self-driving agent reports it. */
  reported_usage: kind('reported_usage', {
    input_tokens: z.int().min(0),
    output_tokens: z.int().min(0),
    cached_tokens: z.int().min(0).nullable(),
    cost_usd: z.number().min(0).nullable(),
    model: z.string().nullable(),
  }),
  /** The end of what a self-driving agent has printed that was not meant for us. */
  printed: kind('printed', {
    text: z.string(),
    /** Size of all that it has printed. */
    bytes: z.int(),
  }),
  /** Evidence is stored, before it is judged. */
  captured: kind(
    'captured',
    {
      moment: Moment,
      /** The blob that it is. */
      evidence: z.string(),
      /** Null: no picture could be taken. */
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
      /** Whether the page did not come to rest before it was captured. */
      unsettled: z.boolean(),
      /** Address of the page that was active last: as it was captured, else as the browser tells it; empty where there is none. */
      url: z.string(),
      /** Time for the page to come to rest, and for the judge to do its work, in ms. */
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
  /** Facts of pages, world and gateway beside the calls, once the episode is over; written last. */
  surroundings: kind('surroundings', {
    /** As the NAC3 runtime of the page called itself. */
    runtime_version: z.string().nullable(),
    manifest_checksum: z.string().nullable(),
    runtime_hash: z.string().nullable(),
    off_archive: z.int().nullable(),
    violations: z.record(z.string(), z.int()),
  }),
  /** The fate of Playwright's trace of the attempt, where one was asked for. */
  trace: kind(
    'trace',
    {
      /** The zip; null where there is none. */
      blob: z.string().nullable(),
      /** Why there is none; null where there is one. */
      why: z.string().nullable(),
    },
    { blobs: ({ blob }) => ({ trace: blob }) },
  ),
  /** A picture of the tab that was active, taken after a step; nothing of it is judged. */
  picture: kind(
    'picture',
    {
      step: z.int(),
      /** The blob that it is, a JPEG. */
      blob: z.string(),
      /** Size of the viewport, in CSS pixels. */
      width: z.number().positive(),
      height: z.number().positive(),
      /** Where the mouse was pressed last during the step, in CSS pixels; null where it was not. */
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
/** Any event of an episode, as it happens. */
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

/** Returns an event as the record holds it: with the names of blobs in the place of long values. */
export function withBlobs<T extends EventType>(event: EventOf<T> & { type: T }, keep: Keep): EventOf<T> {
  return handlingOf(event.type).shorten?.(event, keep) ?? event;
}

/** Returns the blobs that an event names, by their names in a row. `lists`: lists of tools so far, with this one. */
export function blobsIn<T extends EventType>(event: EventOf<T> & { type: T }, lists: number): Record<string, string> {
  const named = Object.entries(handlingOf(event.type).blobs?.(event, lists) ?? {});
  return Object.fromEntries(named.flatMap(([name, blob]) => (typeof blob === 'string' ? [[name, blob]] : [])));
}

/** Returns the duration of what an event reports, in ms; 0 if it reports none. */
export function durationOf<T extends EventType>(event: EventOf<T> & { type: T }): number {
  return handlingOf(event.type).ms?.(event) ?? 0;
}

function isLong(text: string): boolean {
  return Buffer.byteLength(text) > MAX_INLINE_BYTES;
}

function beginningOf(text: string): string {
  return Buffer.from(text).subarray(0, MAX_INLINE_BYTES).toString('utf8');
}

/** An event as `events.jsonl` has it. */
export const RecordedEvent = z.strictObject({
  schema_version: z.literal(2),
  /** Counts from 1. */
  seq: z.int(),
  /** Since the attempt began. */
  at_ms: z.int(),
  event: EpisodeEvent,
});
export type RecordedEvent = z.infer<typeof RecordedEvent>;
