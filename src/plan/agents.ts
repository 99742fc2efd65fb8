import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Agent, Decider, SelfDrivingAgent } from '../agent/agent.ts';
import { closedBook } from '../agent/closed-book.ts';
import { nullAgent, parrot, quitter, teleport } from '../agent/controls.ts';
import type { ExecCommand } from '../agent/exec/command.ts';
import { contractsNear } from '../agent/exec/contracts-near.ts';
import { execAgent } from '../agent/exec/exec-agent.ts';
import type { Hidden } from '../process/sandbox/hidden.ts';
import type { Answered, NotAnswered } from '../agent/model/preflight.ts';
import { keyword } from '../agent/keyword/keyword.ts';
import { random } from '../agent/random.ts';
import type { ModelFacts } from '../agent/model/setup.ts';
import { referenceAgent } from '../agent/reference.ts';
import { retryingAgent } from '../agent/retrying.ts';
import { transcriptAgent } from '../agent/replay.ts';
import { parseTranscript } from '../agent/transcript.ts';
import { sha256Hex } from '../contract/canonical.ts';
import type { Redactor } from '../bundle/redact.ts';
import { OWN } from '../surface/own.ts';
import type { Surface } from '../surface/surface.ts';
import type { SurfaceTraits } from '../surface/traits.ts';
import { taskName } from '../task/instance.ts';
import type { Intent } from '../task/intent.ts';
import type { Task } from '../task/schema.ts';
import { transcriptFile, transcriptPin } from './transcript-file.ts';

/** All that an agent may be made from. Only agents that are no contender look into the task. */
export interface AgentMaterials {
  suite: string;
  task: Task;
  /** Id of the cell's fault; null where it has none. */
  fault: string | null;
  surface: string;
  interaction: Surface['interaction'];
  /** Which of a task's solutions can be followed through it. */
  solutionFor: 'page' | 'tools';
  suiteFolder: string;
  /** Paths that an agent from outside must not see. */
  hidden: Hidden;
  /** The repetition of the cell, for a model. Any other agent is the same in all of them. */
  iteration: number;
  redactor: Redactor;
}

/** An agent for one cell, or why there can be none. */
export type AgentForCell =
  | { agent: Agent | SelfDrivingAgent; transcript: TranscriptFile | null; model?: ModelFacts }
  | { notApplicable: string };

/** The file that a replaying agent was made from: a transcript of calls, or a cassette of model replies. */
export interface TranscriptFile {
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
  /** Whether it drives the browser itself, and so has the surface `own`. */
  drivesItself: boolean;
  /** Whether all that it does is steps, which a surface has to bind to calls of its own. */
  followsSteps?: boolean;
  /** False of what can be shown no picture. */
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

export const AGENTS: readonly AgentChoice[] = [
  following(ofOurs('reference', "follows the task's own solution", 'reference', reference)),
  following(
    ofOurs('retrying-reference', 'the same, and looks again and retries where a step fails', 'reference', retrying),
  ),
  ofOurs('transcript', 'issues recorded calls again and notices drift', 'transcript', transcript),
  ofOurs('null', 'does nothing and says done', 'control', always(nullAgent)),
  ofOurs('parrot', 'does nothing and answers with the goal', 'control', always(parrot)),
  ofOurs('quitter', 'gives up at once', 'control', always(quitter)),
  following(ofOurs('teleport', "goes straight to the last address of the task's solutions", 'control', teleported)),
  ofOurs('random', 'does what it draws of what it sees', 'control', always(random)),
  ofOurs('keyword', 'acts on the words that goal and page share', 'baseline', always(keyword)),
];

/** Follows other steps than the task's solution; null where the task has none of the kind. */
export function stepsAgent(
  id: string,
  about: string,
  stepsOf: (materials: AgentMaterials) => StepsToFollow,
): AgentChoice {
  const agent = ofOurs(id, about, 'control', (materials) => {
    const steps = stepsOf(materials);
    if (steps === null) return Promise.resolve({ notApplicable: `the task has no ${about}` });
    return Promise.resolve({ agent: referenceAgent(id, steps), transcript: null });
  });
  return following(agent);
}

/** The name of the control that a model without tools is. */
export const CLOSED_BOOK = 'closed-book';

/** A model without tools: what it passes, is no matter of what one does. */
export function closedBookAgent(model: AgentChoice): AgentChoice {
  return {
    ...model,
    id: CLOSED_BOOK,
    aliases: [],
    about: `${model.id}, without tools`,
    forCell: async (materials) => {
      const made = await model.forCell(materials);
      return 'agent' in made && 'open' in made.agent ? { ...made, agent: closedBook(made.agent) } : made;
    },
  };
}

type StepsToFollow = readonly Intent[] | null;

/** A command of somebody's. */
export function commandAgent(command: ExecCommand): AgentChoice {
  let near: string[] | null = null;
  return {
    id: command.id,
    about: `the command ${command.program}`,
    decider: 'process',
    drivesItself: true,
    forCell: ({ hidden: { contracts, around } }) => {
      near ??= contractsNear(command);
      const hidden = { contracts: [...new Set([...contracts, ...near])], around };
      return Promise.resolve({ agent: execAgent(command, { hidden }), transcript: null });
    },
  };
}

/** Returns why an agent cannot act through a surface, whatever the task; null when it can. */
export function impossiblePair(
  { id, decider, drivesItself, followsSteps = false }: AgentChoice,
  { interaction, tools_of: owner, binds_steps: binds }: Pick<SurfaceTraits, 'interaction' | 'tools_of' | 'binds_steps'>,
): string | null {
  if (interaction === 'one-shot' && decider !== 'model') {
    return `${id} decides call by call, and the plan of a one-shot surface is made by a model`;
  }
  if (followsSteps && !binds) return `${id} follows steps, and the file of the surface has no binding for them`;
  if (drivesItself === (owner === 'nobody')) return null;
  return drivesItself
    ? `${id} drives the browser itself, so its surface is ${OWN}`
    : `${id} acts by the tools of a surface, and ${OWN} has none`;
}

/** Why an agent sees nothing through a surface that shows pictures; null when it can see them, or has more than them. */
export function blindPair({ id, takesPictures = true }: AgentChoice, surface: Surface): string | null {
  const showsPictures = surface.needs === 'context' && surface.showsPictures === true;
  if (takesPictures || !showsPictures) return null;
  return `${id} takes no pictures by the API of its provider, and ${surface.id} shows nothing else`;
}

function following(agent: AgentChoice): AgentChoice {
  return { ...agent, followsSteps: true };
}

function ofOurs(id: string, about: string, decider: Decider, forCell: AgentChoice['forCell']): AgentChoice {
  return { id, about, decider, drivesItself: false, forCell };
}

function always(agent: Agent): AgentChoice['forCell'] {
  return () => Promise.resolve({ agent, transcript: null });
}

async function reference({ task, solutionFor }: AgentMaterials): Promise<AgentForCell> {
  const solution = task.solutions?.find((each) => each.for === solutionFor);
  const why = solutionFor === 'page' ? 'page surfaces' : "the app's own tools";
  if (solution === undefined) return { notApplicable: `the task has no solution for ${why}` };
  return { agent: referenceAgent('reference', solution.steps), transcript: null };
}

async function retrying(materials: AgentMaterials): Promise<AgentForCell> {
  const followed = await reference(materials);
  if ('notApplicable' in followed) return followed;
  const steps = materials.task.solutions?.find((each) => each.for === materials.solutionFor)?.steps ?? [];
  return { agent: retryingAgent('retrying-reference', steps), transcript: null };
}

/** An address that a solution reaches by clicking stands nowhere in its steps. */
async function teleported({ task, solutionFor }: AgentMaterials): Promise<AgentForCell> {
  if (solutionFor === 'tools') return { notApplicable: "no tool of the app's own opens an address" };
  const ofPages = (task.solutions ?? []).filter((each) => each.for === 'page');
  const urls = ofPages.flatMap(({ steps }) => steps.flatMap((step) => (step.do === 'go' ? [step.url] : [])));
  return { agent: teleport(urls.at(-1) ?? task.startUrl), transcript: null };
}

async function transcript({ task, surface, suiteFolder }: AgentMaterials): Promise<AgentForCell> {
  const file = transcriptFile(suiteFolder, taskName(task), surface);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return { notApplicable: `there is no transcript ${path.join('transcripts', path.basename(file))} in the suite` };
  }
  return {
    agent: transcriptAgent('transcript', parseTranscript(text, file)),
    transcript: { name: transcriptPin(suiteFolder, taskName(task), surface), sha256: sha256Hex(text) },
  };
}
