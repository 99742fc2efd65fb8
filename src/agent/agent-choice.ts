import type { Hidden } from '../process/sandbox/confined.ts';
import type { ProcessNeeds } from '../process/sandbox/launch.ts';
import type { Task } from '../task/schema.ts';
import type { Agent, Decider, SelfDrivingAgent } from './agent.ts';
import type { PreflightReply, PreflightFailure } from './model/preflight.ts';
import { z } from 'zod';

/** All that agents are made from. Only agents that do not compete look into the task. */
export interface AgentMaterials {
  suite: string;
  task: Task;
  fault: string | null;
  surface: string;
  interaction: 'multi-turn' | 'one-shot';
  /** The kind of a task's solutions that can be followed through the surface. */
  solutionFor: 'page' | 'tools';
  /** Steps for which the surface has no call. */
  lacksSteps: readonly string[];
  suiteFolder: string;
  hidden: Hidden;
  /** The repetition of the cell; only models depend on it. */
  iteration: number;
  /** Takes secrets out of text. */
  redact: (text: string) => string;
}

/** An agent for one cell, or why there can be none. */
export type AgentForCell =
  | { agent: Agent | SelfDrivingAgent; transcript: TranscriptFile | null; model?: ModelFacts }
  | { notApplicable: string };

/** The file that a replaying agent was made from: a transcript of calls, or a cassette of model replies. */
interface TranscriptFile {
  name: string;
  sha256: string;
}

export interface AgentChoice {
  id: string;
  aliases?: readonly string[];
  about: string;
  decider: Decider;
  /** True if it drives the browser itself, through the surface `own`. */
  drivesItself?: boolean;
  /** The reach that its file asks for; absent: the gateway alone. */
  network?: 'gateway' | 'shared';
  /** Absent if it starts no process. */
  processNeeds?(): ProcessNeeds;
  /** Whether it only follows steps, which the surface must bind to calls. */
  followsSteps?: boolean;
  /** Whether it reads only accessibility trees, so that its only surface is `aria`. */
  readsTrees?: boolean;
  /** The part of a task, in addition to its goal, that decides its acts. A proof of the task depends on it. */
  dependsOn?(task: Task): unknown;
  takesPictures?: boolean;
  model?: ModelFacts;
  /** The day on which its provider retires the name of the model, if announced. */
  ends?: string;
  /** @throws AgentError when its address or key is missing; `forCell` would throw it too. */
  assertReady?(): void;
  /**
   * Asks a model one cheap question before its first episode; null if recorded replies answer. Only models have it.
   * @throws AgentError as `assertReady` does, or the signal's reason
   */
  ask?(withTools: boolean, signal: AbortSignal): Promise<PreflightReply | PreflightFailure | null>;
  forCell(materials: AgentMaterials): Promise<AgentForCell>;
}

export function fixed(agent: Agent, about: string): AgentChoice {
  const { id, decider } = agent;
  return { id, about, decider, forCell: () => Promise.resolve({ agent, transcript: null }) };
}

/** The facts about a model that are fixed before it is asked, as in pins and rows. */
export const ModelFacts = z.strictObject({
  model_id: z.string(),
  /** Host of the endpoint; null if cassettes answer. */
  model_endpoint: z.string().nullable(),
  endpoint_kind: z.enum(['provider', 'custom', 'mock', 'cassette']),
  temperature: z.number().nullable(),
  max_output_tokens: z.int(),
  prompt_hash: z.string(),
  price_table: z.string().nullable(),
  call_timeout_ms: z.int(),
  max_retries: z.int(),
});
export type ModelFacts = z.infer<typeof ModelFacts>;
