import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Agent, Decider } from '../agent/agent.ts';
import { nullAgent, parrot } from '../agent/controls.ts';
import { referenceAgent } from '../agent/reference.ts';
import { parseTranscript, transcriptAgent } from '../agent/transcript.ts';
import { sha256Hex } from '../contract/canonical.ts';
import type { Task } from '../task/schema.ts';

/** What an agent may be made from. Only agents that are no contender look into the task. */
export interface AgentMaterials {
  task: Task;
  surface: string;
  suiteFolder: string;
}

/** An agent for one cell, or why there can be none. */
export type AgentForCell = { agent: Agent; transcript: TranscriptFile | null } | { notApplicable: string };

/** The file that a replaying agent was made from. */
export interface TranscriptFile {
  name: string;
  sha256: string;
}

/** An agent as the command line names it. */
export interface AgentChoice {
  id: string;
  about: string;
  decider: Decider;
  forCell(materials: AgentMaterials): Promise<AgentForCell>;
}

export const AGENTS: readonly AgentChoice[] = [
  { id: 'reference', about: "follows the task's own solution", decider: 'reference', forCell: reference },
  {
    id: 'transcript',
    about: 'issues recorded calls again and notices drift',
    decider: 'transcript',
    forCell: transcript,
  },
  { id: 'null', about: 'does nothing and says done', decider: 'control', forCell: always(nullAgent) },
  { id: 'parrot', about: 'does nothing and answers with the goal', decider: 'control', forCell: always(parrot) },
];

function always(agent: Agent): AgentChoice['forCell'] {
  return () => Promise.resolve({ agent, transcript: null });
}

async function reference({ task }: AgentMaterials): Promise<AgentForCell> {
  const solution = task.solutions?.find((each) => each.for === 'page');
  if (solution === undefined) return { notApplicable: 'the task has no solution for page surfaces' };
  return { agent: referenceAgent('reference', solution.steps), transcript: null };
}

async function transcript({ task, surface, suiteFolder }: AgentMaterials): Promise<AgentForCell> {
  const file = path.join(suiteFolder, 'transcripts', `${task.id}.${surface}.jsonl`);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return { notApplicable: `there is no transcript ${path.join('transcripts', path.basename(file))} in the suite` };
  }
  const name = path.join(path.basename(suiteFolder), 'transcripts', path.basename(file));
  return {
    agent: transcriptAgent('transcript', parseTranscript(text, file)),
    transcript: { name, sha256: sha256Hex(text) },
  };
}
