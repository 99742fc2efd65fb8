import { z } from 'zod';
import { Answer } from '../contract/evidence.ts';
import { JsonObject } from '../contract/json.ts';
import { Judgement } from '../contract/judgement.ts';
import { InterruptedBy, Stop } from '../contract/status.ts';
import { FAULT_EVENTS } from '../fault/fault-record.ts';
import { TargetReport } from '../task/target.ts';
import { ReplyImage, ToolDefinition } from '../task/tool.ts';

const Moment = z.enum(['start', 'end']);
export type Moment = z.infer<typeof Moment>;

const Progress = z.enum(['progressing', 'stalling', 'stuck']);

/** The cell cannot be run, so nobody has begun; the only event of its attempt. */
const Impossible = z.strictObject({
  type: z.literal('impossible'),
  status: z.enum(['not_applicable', 'unavailable']),
  why: z.string(),
});

/** The model that recorded replies are of: they are replayed, and it is not asked. */
const Replayed = z.strictObject({
  type: z.literal('replayed'),
  model_id: z.string(),
  model_endpoint: z.string().nullable(),
});

/** The episode's browser is of the pinned build, and we did not launch it. */
const NotOurs = z.strictObject({ type: z.literal('browser_not_ours') });

/** The task is one behind a login, and the episode came to its browser. */
const SignedIn = z.strictObject({
  type: z.literal('signed_in'),
  /** Time to sign in the role that the episode begins as, in ms, once in the campaign; null where the agent is to sign in itself. */
  setup_ms: z.number().min(0).nullable(),
});

const Reset = z.strictObject({
  type: z.literal('reset'),
  task: z.string(),
  start_url: z.string(),
  surface: z.string(),
  agent: z.string(),
});

/** The surface is open. */
const Opened = z.strictObject({
  type: z.literal('opened'),
  /** As it calls itself; null where it has no word of its own. */
  surface_version: z.string().nullable(),
  open_ms: z.number().min(0),
});

/** The agent has its seat, and is asked for its first move. */
const AgentBegun = z.strictObject({ type: z.literal('agent_begun') });

/** The entrant has done what it did, or could not begin. */
const Acted = z.strictObject({
  type: z.literal('acted'),
  /** The agent's part of the time; 0 when it could not begin. */
  wall_ms: z.number().min(0),
});

/** The tools that the surface offers the agent. */
const Tools = z.strictObject({
  type: z.literal('tools'),
  names: z.array(z.string()),
  /** SHA-256 of the canonical JSON of the list. */
  tool_list_hash: z.string(),
  /** Tokens of the list; null where they are not counted. */
  tokens: z.int().nullable(),
  tools: z.array(ToolDefinition),
  /** Where the list is, as JSON, when it does not stand here; `tools` is then empty. */
  tools_blob: z.string().nullable(),
});

const Call = z.strictObject({
  type: z.literal('call'),
  step: z.int(),
  tool: z.string(),
  args: JsonObject,
  /** Where the arguments are, as JSON, when they are too long to stand here; `args` is then empty. */
  args_blob: z.string().nullable(),
  /** The step of a solution or near-miss that it is for, counted from 1; a step may take several calls. */
  written_step: z.int().min(1).optional(),
});

/** The reply to a call, which the agent observes. */
const Result = z.strictObject({
  type: z.literal('result'),
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
});

/** A model is asked. */
const TurnBegun = z.strictObject({
  type: z.literal('turn'),
  turn: z.int(),
  /** The body of the request. */
  request: z.string(),
  /** Where it is when it does not stand here; `request` is then empty. */
  request_blob: z.string().nullable(),
});

/** The provider failed, and is asked once more. */
const TurnRetried = z.strictObject({
  type: z.literal('turn_retried'),
  turn: z.int(),
  why: z.string(),
  wait_ms: z.number().min(0),
});

/** Something from outside the entrant ended its part: nothing of the attempt counts. */
const Interrupted = z.strictObject({ type: z.literal('interrupted'), cause: InterruptedBy, why: z.string() });

/** The asking has ended, with a reply or without one. */
const TurnEnded = z.strictObject({
  type: z.literal('turn_ended'),
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
});

/** All that a tool from outside has asked of the browser, as the gateway saw it. */
const Gateway = z.strictObject({
  type: z.literal('gateway'),
  commands: z.int(),
  /** Commands that press keys, move the mouse, touch or type. */
  inputs: z.int(),
  /** Number of times that each was sent, the most frequent first. */
  methods: z.record(z.string(), z.int()),
  /** Refusals that are no violation, by command. */
  refused: z.record(z.string(), z.int()),
  /** The steps with which the agent brought a script of its own into a page. */
  script_steps: z.array(z.int()),
});

/** Isolation of the process of a self-driving agent or of a tool server. */
const Isolated = z.strictObject({
  type: z.literal('isolated'),
  by: z.enum(['bubblewrap', 'user', 'none']),
  network: z.enum(['gateway', 'shared']),
});

/** A step that a self-driving agent says it has taken. We saw only what came of it: the URL. */
const ReportedStep = z.strictObject({
  type: z.literal('reported_step'),
  step: z.int(),
  tool: z.string(),
  args: JsonObject,
  ok: z.boolean(),
  text: z.string(),
  url: z.string(),
});

/** The usage of a model call, as a self-driving agent reports it. */
const ReportedUsage = z.strictObject({
  type: z.literal('reported_usage'),
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
  cached_tokens: z.int().min(0).nullable(),
  cost_usd: z.number().min(0).nullable(),
  model: z.string().nullable(),
});

/** The end of what a self-driving agent has printed that was not meant for us. */
const Printed = z.strictObject({
  type: z.literal('printed'),
  text: z.string(),
  /** Size of all that it has printed. */
  bytes: z.int(),
});

/** Evidence is stored, before it is judged. */
const Captured = z.strictObject({
  type: z.literal('captured'),
  moment: Moment,
  /** The blob that it is. */
  evidence: z.string(),
  /** Null: no picture could be taken. */
  screenshot: z.string().nullable(),
});

const Evaluation = z.strictObject({
  type: z.literal('contract_evaluation'),
  moment: Moment,
  contract: z.enum(['success', 'guards']),
  judgement: Judgement,
});

/** Both contracts are evaluated. */
const Judged = z.strictObject({
  type: z.literal('judged'),
  moment: Moment,
  /** Whether the page did not come to rest before it was captured. */
  unsettled: z.boolean(),
  /** Address of the page that was active last: as it was captured, else as the browser tells it; empty where there is none. */
  url: z.string(),
  /** Time for the page to come to rest, and for the judge to do its work, in ms. */
  settle_ms: z.number().min(0),
  judge_ms: z.number().min(0),
});

/** Facts of pages, world and gateway beside the calls, once the episode is over; written last. */
const Surroundings = z.strictObject({
  type: z.literal('surroundings'),
  /** As the NAC3 runtime of the page called itself. */
  runtime_version: z.string().nullable(),
  manifest_checksum: z.string().nullable(),
  runtime_hash: z.string().nullable(),
  off_archive: z.int().nullable(),
  violations: z.record(z.string(), z.int()),
});

const Stopped = z.strictObject({
  type: z.literal('stop'),
  stop: Stop,
  detail: z.string().nullable(),
  answer: Answer.nullable(),
});

/** The fate of Playwright's trace of the attempt, where one was asked for. */
const Trace = z.strictObject({
  type: z.literal('trace'),
  /** The zip; null where there is none. */
  blob: z.string().nullable(),
  /** Why there is none; null where there is one. */
  why: z.string().nullable(),
});

/** A picture of the tab that was active, taken after a step; nothing of it is judged. */
const Picture = z.strictObject({
  type: z.literal('picture'),
  step: z.int(),
  /** The blob that it is, a JPEG. */
  blob: z.string(),
  /** Size of the viewport, in CSS pixels. */
  width: z.number().positive(),
  height: z.number().positive(),
  /** Where the mouse was pressed last during the step, in CSS pixels; null where it was not. */
  press: z.strictObject({ x: z.number(), y: z.number() }).nullable(),
});

/** Any event of an episode, as it happens. */
export const EpisodeEvent = z.discriminatedUnion('type', [
  Impossible,
  Replayed,
  NotOurs,
  SignedIn,
  Reset,
  Opened,
  Tools,
  AgentBegun,
  Acted,
  Call,
  Result,
  TurnBegun,
  TurnRetried,
  Interrupted,
  TurnEnded,
  Gateway,
  Isolated,
  ReportedStep,
  ReportedUsage,
  Printed,
  Captured,
  Evaluation,
  Judged,
  Stopped,
  Surroundings,
  Trace,
  Picture,
  ...FAULT_EVENTS,
]);
export type EpisodeEvent = z.infer<typeof EpisodeEvent>;

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
