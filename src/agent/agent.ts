import { z } from 'zod';
import { Answer } from '../contract/evidence.ts';
import { JsonObject } from '../contract/json.ts';
import type { AGENT } from '../messages/agent.ts';
import { FactError } from '../messages/fact-error.ts';
import type { ProcessIsolation } from '../process/sandbox/launch.ts';
import type { Bind } from '../task/intent.ts';
import type { Brief } from '../task/brief.ts';
import type { ToolDefinition, ToolReply } from '../task/tool.ts';
import type { Turns } from './turn.ts';

/** Who makes an agent's decisions. Only a model takes turns. */
export type Decider = 'model' | 'process' | 'baseline' | 'transcript' | 'reference' | 'control';

/** Longest answer that is taken, in characters. */
const MAX_ANSWER = 64 * 1024;

/** The next move of an agent. Agents are not ours to trust: what they return is checked against this. */
export const Move = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('call'),
    call: z.strictObject({ tool: z.string(), args: JsonObject }),
    /** The written step that it is for, counted from 1, where the agent follows such. */
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
  /** A replayed agent noticed that the present is not what was recorded; `of`: it is what a model is asked. */
  z.strictObject({
    kind: z.literal('drift'),
    of: z.literal('model').optional(),
    expected: z.string(),
    actual: z.string(),
  }),
]);
export type Move = z.infer<typeof Move>;

/** All that an agent is told before its first move. */
export interface AgentSeat {
  brief: Brief;
  /** Id of the surface that the agent acts through. */
  surface: string;
  /** Those that are offered now; a tool server may offer others after a call. */
  readonly tools: readonly ToolDefinition[];
  /** Binds a solution's step to this surface; for agents that follow a solution. */
  bind: Bind;
  /** The browser's state now, as the judge's own connection has it; for agents that compare it with a record. Null: not at rest. */
  pageState(): Promise<PageState | null>;
  /** The same each time that this episode is run, another for each task and iteration; for agents that draw lots. */
  seed: string;
  /** Where an agent that asks a model tells of its calls. */
  turns: Turns;
}

/** The state of a browser: its tabs and their addresses, which of them is in front, and the dialogs that are open. */
export interface PageState {
  /** SHA-256 of all of that, with secrets replaced. */
  sha256: string;
  /** The same for people. */
  words: string;
}

/** One agent at work in one episode. */
export interface AgentSession {
  /**
   * The next move, given what came of the last call (null before the first).
   * The signal fires when the episode's time is up.
   */
  next(last: ToolReply | null, signal: AbortSignal): Promise<Move>;
}

/** Who decides the next call. An agent never sees a contract: all it gets is its seat. */
export interface Agent {
  /** As on the command line and in rows. */
  id: string;
  decider: Decider;
  /** @throws AgentError when it cannot work here, for example for want of a tool. */
  open(seat: AgentSeat): Promise<AgentSession>;
}

/** The facts that a self-driving agent is given before it begins. */
export interface DrivingSeat {
  brief: Brief;
  /** Where it finds the browser, with the start page open: `http://127.0.0.1:<port>`, as tools take for a CDP address. */
  cdpUrl: string;
  /** Takes secrets out of text. Whoever cuts text asks this first: half a secret would not be found afterwards. */
  redact: (text: string) => string;
}

/** A message of a self-driving agent while it works. All but the last two are its own word. */
export type AgentReport =
  | { kind: 'step'; tool: string; args: JsonObject; ok: boolean; text: string }
  | { kind: 'usage'; usage: OwnUsage }
  /** It has answered, and is not done yet. */
  | { kind: 'answered'; answer: Answer }
  /** Its other output, or the end of that, and how much it was. */
  | { kind: 'printed'; text: string; bytes: number }
  | { kind: 'isolation'; isolation: ProcessIsolation }
  /** Its process starts, and its time begins; it has said its last word, or broke, and its time is over. */
  | { kind: 'begun' | 'last_word' };

/** The cost of one model call of a self-driving agent, as the agent says; null where it does not say. */
export interface OwnUsage {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number | null;
  costUsd: number | null;
  model: string | null;
}

/** The move with which a self-driving agent ends. */
export type LastMove = Extract<Move, { kind: 'done' | 'give_up' }>;

/** An agent that drives the browser itself, instead of asking a surface for one call after the other. */
export interface SelfDrivingAgent {
  /** As on the command line and in rows. */
  id: string;
  decider: 'process';
  /**
   * Works until it is done or gives up. When the signal fires it must stop; when this has settled, nothing of it is left.
   * It reports when it has begun and when it has said its last word: that is the time that its cap is for.
   * @throws AgentError when it broke.
   */
  drive(seat: DrivingSeat, report: (report: AgentReport) => void, signal: AbortSignal): Promise<LastMove>;
}

/** An agent that broke: its own fault, and so its own status. */
export class AgentError extends FactError<keyof typeof AGENT> {}
