import type { AgentSession } from '../agent/agent.ts';
import type { Answer } from '../contract/evidence.ts';
import type { SurfaceSession } from '../surface/surface.ts';
import type { Caps } from '../task/brief.ts';
import type { ToolCall, ToolReply } from '../task/tool.ts';
import { within } from './deadline.ts';
import type { StepTrace } from './no-progress.ts';
import type { EventSink, Redactor } from './ports.ts';
import type { Stop } from '../contract/status.ts';

/** How long one tool call may take, in ms, before it is cancelled and counts as an error. */
export const CALL_TIMEOUT_MS = 30_000;
/** Longest reply text that is kept in an event, in characters. */
const MAX_TEXT = 64 * 1024;

export interface PlayOptions {
  agent: AgentSession;
  surface: SurfaceSession;
  caps: Caps;
  sink: EventSink;
  redactor: Redactor;
  /** Called as each tool call begins. */
  toolCallBegins(): void;
  /** URL of the page that is active now. */
  currentUrl(): string;
  /** False when the browser has ended, which nobody's call can have asked for. */
  browserRuns(): boolean;
}

/** What an agent did, and how it came to its end. */
export interface Play {
  stop: Stop;
  detail: string | null;
  answer: Answer | null;
  steps: StepTrace[];
  lastCall: ToolCall | null;
  toolErrors: number;
  responseBytes: number;
  /** Time in tool calls, and time in which the agent made up its mind. */
  toolMs: number;
  agentMs: number;
  wallMs: number;
}

type Ending = Pick<Play, 'stop' | 'detail' | 'answer'>;
type Progress = Omit<Play, keyof Ending | 'wallMs'>;

/** Asks the agent for a move and runs it, until it is done, gives up, breaks, or a cap stops it. The wall cap wins. */
export async function play(options: PlayOptions): Promise<Play> {
  const begun = performance.now();
  const progress: Progress = { steps: [], lastCall: null, toolErrors: 0, responseBytes: 0, toolMs: 0, agentMs: 0 };
  const timeLeft = (): number => Math.max(1, options.caps.maxDurationMs - (performance.now() - begun));
  let last: ToolReply | null = null;
  for (;;) {
    const move = await nextMove(options, last, timeLeft(), progress);
    if ('stop' in move) return { ...progress, ...move, wallMs: performance.now() - begun };
    const outcome = await step(options, move, timeLeft(), progress);
    if ('stop' in outcome) return { ...progress, ...outcome, wallMs: performance.now() - begun };
    last = outcome;
  }
}

async function nextMove(
  { agent, caps, redactor }: PlayOptions,
  last: ToolReply | null,
  timeLeft: number,
  progress: Progress,
): Promise<ToolCall | Ending> {
  const begun = performance.now();
  try {
    const thought = await within(timeLeft, (signal) => agent.next(last, signal));
    if (!thought.finished) return ending('timeout', `the wall cap of ${caps.maxDurationMs} ms`);
    const move = thought.value;
    switch (move.kind) {
      case 'done':
        return { stop: 'done', detail: null, answer: redactor.json(move.answer) };
      case 'give_up':
        return ending('gave_up', redactor.text(move.reason));
      case 'drift':
        return ending('replay_drift', redactor.text(`expected ${move.expected}, but ${move.actual}`));
      case 'call':
        if (progress.steps.length >= caps.maxSteps) return ending('max_steps', `the cap of ${caps.maxSteps} steps`);
        return move.call;
    }
  } catch (error) {
    return ending('agent_error', redactor.text(error instanceof Error ? error.message : String(error)));
  } finally {
    progress.agentMs += performance.now() - begun;
  }
}

async function step(
  options: PlayOptions,
  call: ToolCall,
  timeLeft: number,
  progress: Progress,
): Promise<ToolReply | Ending> {
  const { surface, sink, redactor, caps } = options;
  const number = progress.steps.length + 1;
  options.toolCallBegins();
  progress.lastCall = redactor.json(call);
  sink.event({ type: 'call', step: number, tool: progress.lastCall.tool, args: progress.lastCall.args });
  const begun = performance.now();
  const limit = Math.min(CALL_TIMEOUT_MS, timeLeft);
  const run = await within(limit, (signal) => surface.call(call, signal)).catch(failedCall);
  const toolMs = performance.now() - begun;
  const reply = run.finished ? run.value : errorReply(`the call was not finished within ${Math.round(limit)} ms`);
  const bytes = Buffer.byteLength(reply.text);
  const url = redactor.text(options.currentUrl());
  progress.toolMs += toolMs;
  progress.responseBytes += bytes;
  if (!reply.ok) progress.toolErrors += 1;
  sink.event({
    type: 'result',
    step: number,
    tool: progress.lastCall.tool,
    ok: reply.ok,
    kind: reply.kind,
    text: redactor.text(reply.text).slice(0, MAX_TEXT),
    bytes,
    tool_ms: toolMs,
    url,
  });
  const status = (await surface.progress?.()) ?? null;
  progress.steps.push({ tool: call.tool, ok: reply.ok, url, progress: status });
  if (!options.browserRuns()) return ending('infra_error', 'the browser process ended during a call');
  if (!run.finished && limit < CALL_TIMEOUT_MS) return ending('timeout', `the wall cap of ${caps.maxDurationMs} ms`);
  return reply;
}

function ending(stop: Stop, detail: string): Ending {
  return { stop, detail, answer: null };
}

function failedCall(error: unknown): { finished: true; value: ToolReply } {
  return { finished: true, value: errorReply(error instanceof Error ? error.message : String(error)) };
}

function errorReply(text: string): ToolReply {
  return { ok: false, text, kind: 'error' };
}
