import { z } from 'zod';
import { Answer } from '../contract/evidence.ts';
import { JsonObject } from '../contract/json.ts';
import type { AGENT } from '../messages/agent.ts';
import { FactError } from '../messages/fact-error.ts';
import type { ProcessIsolation } from '../process/sandbox/launch.ts';
import type { Bind } from '../task/intent.ts';
import type { Given } from '../task/given-files.ts';
import type { Brief } from '../task/brief.ts';
import type { ToolDefinition, ToolReply } from '../task/tool.ts';
import type { Turns } from './turn.ts';

/** The source of an agent's decisions. Only a model takes turns. */
export type Decider = 'model' | 'process' | 'baseline' | 'transcript' | 'reference' | 'control';

const MAX_ANSWER = 64 * 1024;

/** The next move of an agent, which is checked, since agents are not trusted. */
export const Move = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('call'),
    call: z.strictObject({ tool: z.string(), args: JsonObject }),
    /** The step of the solution that it is for, counted from 1, if the agent follows one. */
    writtenStep: z.int().min(1).optional(),
  }),
  z.strictObject({
    kind: z.literal('done'),
    answer: Answer.nullable().refine(
      (answer) => JSON.stringify(answer).length <= MAX_ANSWER,
      `is longer than ${MAX_ANSWER} characters`,
    ),
  }),
  z.strictObject({ kind: z.literal('give_up'), reason: z.string() }),
  /** A replayed agent noticed a difference from the record; `of`: in what a model is asked. */
  z.strictObject({
    kind: z.literal('drift'),
    of: z.literal('model').optional(),
    expected: z.string(),
    actual: z.string(),
  }),
]);
export type Move = z.infer<typeof Move>;

/** All that an agent is given before its first move. */
export interface AgentSeat {
  brief: Brief;
  surface: string;
  /** A tool server may offer others after a call. */
  readonly tools: readonly ToolDefinition[];
  /** For agents that follow a solution. */
  bind: Bind;
  /** The browser's state by the judge's own connection, for agents that compare it with a record. Null: not at rest. */
  pageState(): Promise<PageState | null>;
  /** One for each task and iteration, the same in each run; for agents that draw lots. */
  seed: string;
  /** For agents that ask a model. */
  turns: Turns;
}

/** The tabs of a browser, their addresses, the one in front, and the open dialogs. */
export interface PageState {
  sha256: string;
  /** The same for people. */
  words: string;
}

export interface AgentSession {
  /**
   * @param last the reply to the last call; null before the first
   * @param signal fires when the episode's time is up
   */
  next(last: ToolReply | null, signal: AbortSignal): Promise<Move>;
}

/** Decides the next call. It never sees a contract: all it gets is its seat. */
export interface Agent {
  id: string;
  decider: Decider;
  /** @throws AgentError when it cannot work here, for example if a tool is missing. */
  open(seat: AgentSeat): Promise<AgentSession>;
}

export interface DrivingSeat {
  brief: Brief;
  /** The browser, with the start page open: `http://127.0.0.1:<port>`, as tools take for a CDP address. */
  cdpUrl: string;
  /** Absent if the task gives no files. */
  given?: Given | undefined;
  /** Takes secrets out of text; called before a text is cut, since half a secret would not be found. */
  redact: (text: string) => string;
}

/** An event of a self-driving agent. `step`, `usage` and `answered` are its own claims. */
export type AgentReport =
  | { kind: 'step'; tool: string; args: JsonObject; ok: boolean; text: string }
  | { kind: 'usage'; usage: OwnUsage }
  | { kind: 'answered'; answer: Answer }
  /** The end of its other output, and the size of all of it. */
  | { kind: 'printed'; text: string; bytes: number }
  | { kind: 'isolation'; isolation: ProcessIsolation }
  /** Its process starts, and its time begins; it has finished or failed, and its time is over. */
  | { kind: 'begun' | 'ended' };

/** The cost of one model call, as a self-driving agent reports it; null for what it does not report. */
export interface OwnUsage {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number | null;
  costUsd: number | null;
  model: string | null;
}

export type LastMove = Extract<Move, { kind: 'done' | 'give_up' }>;

/** An agent that drives the browser itself, instead of asking a surface for one call after the other. */
export interface SelfDrivingAgent {
  id: string;
  decider: 'process';
  /**
   * Works until it is done or gives up, or the signal fires. When this has settled, nothing of it is left. Its cap applies to the time
   * between its reports `begun` and `ended`.
   * @throws AgentError when it broke
   */
  drive(seat: DrivingSeat, report: (report: AgentReport) => void, signal: AbortSignal): Promise<LastMove>;
}

/** An agent broke, by its own fault. */
export class AgentError extends FactError<keyof typeof AGENT> {}
