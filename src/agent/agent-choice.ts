import type { Hidden } from '../process/sandbox/confined.ts';
import type { Foreseen } from '../process/sandbox/launch.ts';
import type { Task } from '../task/schema.ts';
import type { Agent, Decider, SelfDrivingAgent } from './agent.ts';
import type { Answered, NotAnswered } from './model/preflight.ts';
import { z } from 'zod';

/** All that an agent may be made from. Only agents that do not compete look into the task. */
export interface AgentMaterials {
  suite: string;
  task: Task;
  /** Id of the cell's fault; null where it has none. */
  fault: string | null;
  surface: string;
  interaction: 'multi-turn' | 'one-shot';
  /** Which of a task's solutions can be followed through it. */
  solutionFor: 'page' | 'tools';
  suiteFolder: string;
  /** Paths that an agent from outside must not see. */
  hidden: Hidden;
  /** The repetition of the cell, for a model. Any other agent is the same in all of them. */
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

/** An agent as the command line names it. */
export interface AgentChoice {
  id: string;
  /** Other names that the command line takes. */
  aliases?: readonly string[];
  about: string;
  decider: Decider;
  /** True where it drives the browser itself, and so has the surface `own`. */
  drivesItself?: boolean;
  /** The reach that its file asks for; absent: the gateway alone. */
  network?: 'gateway' | 'shared';
  /** The files that it needs as a process, and suites and bundles near them; absent: it starts none. */
  foreseen?(): Foreseen;
  /** Whether all that it does is steps, which a surface has to bind to calls of its own. */
  followsSteps?: boolean;
  /** Whether it reads accessibility trees and nothing else, so that its only surface is `aria`. */
  readsTrees?: boolean;
  /** The part of a task, beside its goal, that it goes by; absent where there is none. A proof of the task rests on it. */
  goesBy?(task: Task): unknown;
  /** False where it cannot be shown pictures. */
  takesPictures?: boolean;
  /** Pins of the model that it asks, if it asks one of ours. */
  model?: ModelFacts;
  /** The day on which its provider has said that the name of the model ends; absent where nothing was said. */
  ends?: string;
  /** @throws AgentError when something is missing without which it cannot be asked; `forCell` would throw it too. */
  assertReady?(): void;
  /**
   * Asks a model one cheap question before its first episode; null where its replies are recorded. Absent: it is no model.
   * @throws AgentError as `assertReady` does; whatever the signal was fired with.
   */
  ask?(withTools: boolean, signal: AbortSignal): Promise<Answered | NotAnswered | null>;
  forCell(materials: AgentMaterials): Promise<AgentForCell>;
}

/** An agent that is the same in every cell. */
export function fixed(agent: Agent, about: string): AgentChoice {
  const { id, decider } = agent;
  return { id, about, decider, forCell: () => Promise.resolve({ agent, transcript: null }) };
}

/** The facts of a model that are fixed before it is asked, as pins and rows have them. */
export const ModelFacts = z.strictObject({
  model_id: z.string(),
  /** Host of the endpoint; null where cassettes answer. */
  model_endpoint: z.string().nullable(),
  endpoint_kind: z.enum(['provider', 'custom', 'mock', 'cassette']),
  /** Null: it takes none. */
  temperature: z.number().nullable(),
  /** Most tokens of one reply. */
  max_output_tokens: z.int(),
  /** SHA-256 of the prompt file. */
  prompt_hash: z.string(),
  /** Null: no table has it, so what it costs is not known. */
  price_table: z.string().nullable(),
  call_timeout_ms: z.int(),
  max_retries: z.int(),
});
export type ModelFacts = z.infer<typeof ModelFacts>;
