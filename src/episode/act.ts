import { setTimeout as sleep } from 'node:timers/promises';
import { type AgentSeat, type AgentSession, Move } from '../agent/agent.ts';
import type { BrowserHealth } from '../browser/judged-browser.ts';
import { messageFor } from '../messages/messages.ts';
import { nestingProblem } from '../contract/json.ts';
import { messageOf } from '../contract/message-of.ts';
import { mapStrings, wellFormed } from '../contract/strings.ts';
import { parsePlainly, problemText } from '../contract/validation/problem.ts';
import type { Injection } from '../fault/fault-kind.ts';
import type { ReplyProgress, SurfaceSession } from '../surface/surface.ts';
import type { Caps } from '../task/caps.ts';
import { type ToolCall, ToolReply } from '../task/tool.ts';
import { within } from '../process/deadline.ts';
import type { EventSink } from './episode-setup.ts';
import { ledgerEntry } from './target-ledger.ts';
import { broken, cutOff, type Ending, ending, type Trajectory } from './trajectory.ts';
import type { TurnMeter } from './turn-meter.ts';

/** Time after which a tool call is cancelled and counts as an error, in ms. */
export const CALL_TIMEOUT_MS = 30_000;
/** Time for a surface to report its progress status, in ms. */
const PROGRESS_TIMEOUT_MS = 5_000;
/** Longest move and reply, in characters; an agent can read far less. */
const MAX_MOVE_LENGTH = 4 * 1024 * 1024;
const MAX_REPLY_LENGTH = 4 * 1024 * 1024;
/** Longest picture, in characters of base64. */
const MAX_IMAGE_LENGTH = 48 * 1024 * 1024;

export interface ActOptions {
  agent: AgentSession;
  turns: TurnMeter;
  surface: SurfaceSession;
  caps: Caps;
  /** Time to wait before each step. */
  slowMs?: number | undefined;
  sink: EventSink;
  toolCallBegins(call: ToolCall): void;
  /** The agent's next move waits for it. */
  toolCallEnded(): Promise<void>;
  /** The fault of the episode. */
  injection: Injection | null;
  countTokens: ((text: string) => number) | null;
  currentUrl(): string;
  pageState: AgentSeat['pageState'];
  browser: BrowserHealth;
}

/** Asks the agent for moves and runs them until it is done, gives up or breaks, or a cap stops it. The wall cap wins. */
export async function act(options: ActOptions): Promise<Trajectory> {
  const begun = performance.now();
  let steps = 0;
  /** Time for people who watch, in ms, which is not the entrant's. */
  let waitedMs = 0;
  const wallMs = (): number => performance.now() - begun - waitedMs;
  const timeLeft = (): number => Math.max(1, options.caps.wall_ms - wallMs());
  let last: ToolReply | null = null;
  for (;;) {
    const move = await nextMove(options, last, timeLeft(), steps);
    if ('stop' in move) return { ...move, steps, isolation: null, wallMs: wallMs() };
    steps += 1;
    if (options.slowMs !== undefined) waitedMs += await waited(options.slowMs);
    const outcome = await step(options, move, timeLeft(), steps).catch((error: unknown) =>
      broken('surface', options.sink.clean(`the surface broke: ${messageOf(error)}`)),
    );
    if ('stop' in outcome) return { ...outcome, steps, isolation: null, wallMs: wallMs() };
    last = outcome;
  }
}

/** Waits, and returns how long it took. */
async function waited(ms: number): Promise<number> {
  const begun = performance.now();
  await sleep(ms);
  return performance.now() - begun;
}

async function nextMove(
  { agent, turns, caps, sink }: ActOptions,
  last: ToolReply | null,
  timeLeft: number,
  steps: number,
): Promise<Extract<Move, { kind: 'call' }> | Ending> {
  try {
    const thought = await within(
      timeLeft,
      (signal) => agent.next(last, signal),
      () => turns.settled,
    );
    if (!thought.finished) return turns.timedOut(ending('timeout', `the wall cap of ${caps.wall_ms} ms`));
    if (turns.stopped !== null) return turns.stopped;
    const move = checkedMove(thought.value);
    switch (move.kind) {
      case 'done':
        return { stop: 'done', detail: null, answer: sink.clean(move.answer) };
      case 'give_up':
        return ending('gave_up', sink.clean(move.reason));
      case 'drift':
        return ending('replay_drift', sink.clean(driftOf(move)));
      case 'call':
        if (steps >= caps.steps) return ending('max_steps', `the cap of ${caps.steps} steps`);
        return move;
    }
  } catch (error) {
    return turns.failed(error);
  }
}

function driftOf({ of, expected, actual }: Extract<Move, { kind: 'drift' }>): string {
  return `${of === undefined ? '' : `${of}_drift: `}expected ${expected}, but ${actual}`;
}

function checkedReply(reply: unknown): ToolReply {
  const parsed = ToolReply.safeParse(reply);
  if (!parsed.success) return errorReply('the surface returned a malformed reply');
  const { length } = parsed.data.image?.base64 ?? '';
  return length <= MAX_IMAGE_LENGTH
    ? parsed.data
    : errorReply(`the surface returned a picture of ${length} characters`);
}

function cut(text: string): string {
  const { length } = text;
  return length <= MAX_REPLY_LENGTH ? text : `${text.slice(0, MAX_REPLY_LENGTH)}\n[cut: ${length} characters]`;
}

async function step(
  options: ActOptions,
  { call, writtenStep }: Extract<Move, { kind: 'call' }>,
  timeLeft: number,
  number: number,
): Promise<ToolReply | Ending> {
  const { surface, sink, caps } = options;
  options.toolCallBegins(call);
  const { tool, args } = sink.clean(call);
  sink.event({ type: 'call', step: number, tool, args, args_blob: null, ...writtenAs(writtenStep) });
  const offered = surface.tools;
  await options.injection?.beforeCall?.(number, call);
  const begun = performance.now();
  const limit = Math.min(CALL_TIMEOUT_MS, timeLeft);
  const run = await within(limit, (signal) => surface.call(call, signal)).catch(
    (error: unknown) => ({ finished: true, value: errorReply(messageOf(error)) }) as const,
  );
  const toolMs = performance.now() - begun;
  const whole = run.finished
    ? checkedReply(run.value)
    : errorReply(`the call was not finished within ${Math.round(limit)} ms`);
  await options.injection?.afterCall?.(number, whole);
  const bytes = Buffer.byteLength(whole.text);
  const reply = { ...whole, text: cut(whole.text) };
  const url = sink.clean(options.currentUrl());
  const target = ledgerEntry(call, offered, whole);
  const state = await options.pageState();
  sink.event({
    type: 'result',
    step: number,
    tool,
    ok: reply.ok,
    kind: reply.kind,
    // Cleaned before it is cut: half a secret would not be found.
    text: cut(sink.clean(whole.text)),
    text_blob: null,
    ...(reply.image === undefined ? {} : { image: reply.image }),
    bytes,
    tokens: options.countTokens?.(reply.text) ?? null,
    tool_ms: toolMs,
    url,
    progress: await progressOf(surface),
    page_state_sha256: state?.sha256 ?? null,
    target,
  });
  await options.toolCallEnded();
  const condition = await options.browser.condition();
  if (condition === 'ended') return broken('browser', 'the browser process ended during a call');
  if (condition === 'cut_off') return cutOff(' during a call', sink.clean(options.browser.fault()));
  if (!run.finished && limit < CALL_TIMEOUT_MS) return ending('timeout', `the wall cap of ${caps.wall_ms} ms`);
  return shownOf(reply);
}

function writtenAs(written: number | undefined): { written_step?: number } {
  return written === undefined ? {} : { written_step: written };
}

/** Hides from the agent what its call aimed at. */
function shownOf({ target: _target, ...shown }: ToolReply): ToolReply {
  return shown;
}

/** The surface's own status; null if it has none or does not report it in time. */
async function progressOf(surface: SurfaceSession): Promise<ReplyProgress | null> {
  if (surface.progress === undefined) return null;
  const status = await within(PROGRESS_TIMEOUT_MS, () => Promise.resolve(surface.progress?.() ?? null)).catch(
    () => null,
  );
  return status?.finished === true ? status.value : null;
}

function errorReply(text: string): ToolReply {
  return { ok: false, text, kind: 'error' };
}

/**
 * Checks a move and replaces its lone surrogates, which JSON cannot hold.
 * @throws Error if the move is malformed
 */
export function checkedMove(move: unknown): Move {
  const tooMuch = nestingProblem(move);
  if (tooMuch !== null) throw new Error(`its move is malformed: it ${messageFor(tooMuch)}`);
  const parsed = parsePlainly(Move, mapStrings(move, wellFormed));
  if (!parsed.ok) {
    const [first] = parsed.problems;
    throw new Error(`its move is malformed: ${first === undefined ? '' : problemText(first)}`);
  }
  const { length } = JSON.stringify(parsed.value);
  if (length > MAX_MOVE_LENGTH) throw new Error(`its move is malformed: it has ${length} characters`);
  return parsed.value;
}
