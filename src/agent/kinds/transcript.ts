import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashJson, sha256Hex } from '../../contract/canonical.ts';
import { taskName } from '../../task/instance.ts';
import type { ToolReply } from '../../task/tool.ts';
import { wellFormedJson } from '../../contract/strings.ts';
import { fact } from '../../messages/messages.ts';
import { type Agent, AgentError, type AgentSeat, type Move, type PageState } from '../agent.ts';
import type { AgentChoice, AgentForCell, AgentMaterials } from '../agent-choice.ts';
import { parseTranscript, type Transcript, transcriptFile, transcriptPin, type TranscriptCall } from '../transcript.ts';

/** Longest wait for the recorded state of the browser, and time between looks at it, in ms. */
const PATIENCE_MS = 5_000;
const INTERVAL_MS = 50;

type Drift = Extract<Move, { kind: 'drift' }> | null;

/** Issues the calls of a transcript again. A difference from the record is drift, and ends the episode. */
export function transcriptAgent(id: string, transcript: Transcript): Agent {
  const { header, entries, answer } = transcript;
  return {
    id,
    decider: 'transcript',
    open: async (seat) => {
      const { brief, surface } = seat;
      if (header.task !== brief.id || header.surface !== surface) {
        const { task, surface: through } = header;
        const here = { own_task: brief.id, own_surface: surface };
        throw new AgentError(fact('transcript_of_another_task', { task, surface: through, ...here }));
      }
      let position = 0;
      return {
        next: async (last, signal) => {
          const before = entries[position - 1];
          if (before !== undefined && last !== null) {
            const drifted = replyDrift(position, before, last) ?? (await pageDrift(position, before, seat, signal));
            if (drifted !== null) return drifted;
          }
          const entry = entries[position];
          if (position === 0 || entry === undefined) {
            const drifted = lengthDrift(transcript, position);
            if (drifted !== null) return drifted;
          }
          if (entry === undefined) return { kind: 'done', answer };
          position += 1;
          const { tool, args } = entry;
          return callDrift(position, entry, seat) ?? { kind: 'call', call: { tool, args } };
        },
      };
    },
  };
}

export const transcriptKind: AgentChoice = {
  id: 'transcript',
  about: 'issues recorded calls again and notices drift',
  decider: 'transcript',
  forCell: recordedFor,
};

async function recordedFor({ task, surface, suiteFolder }: AgentMaterials): Promise<AgentForCell> {
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

function lengthDrift({ header, entries, ended }: Transcript, step: number): Drift {
  if (header.calls === undefined) return null;
  if (step === 0 && header.calls !== entries.length) {
    const [first, word] = header.calls > entries.length ? [entries.length, 'missing'] : [header.calls, 'left over'];
    return drift(
      first + 1,
      `${header.calls} calls, as in the header`,
      `the transcript holds ${entries.length}: calls are ${word}`,
    );
  }
  return step === entries.length && !ended
    ? drift(step + 1, 'a line "done"', 'the transcript has none: its end is missing')
    : null;
}

function callDrift(step: number, entry: TranscriptCall, { tools }: AgentSeat): Drift {
  const digest = hashJson(entry.args);
  if (digest !== entry.args_digest_sha256) {
    return drift(step, `args with digest ${entry.args_digest_sha256}`, `the digest of its args is ${digest}`);
  }
  const tool = tools.find(({ name }) => name === entry.tool);
  if (tool === undefined) return drift(step, `a tool ${entry.tool}`, 'the surface has none of that name');
  if (entry.tool_schema_sha256 === undefined) return null;
  const schema = hashJson(wellFormedJson(tool.input_schema));
  return schema === entry.tool_schema_sha256
    ? null
    : drift(
        step,
        `arguments of ${entry.tool} with a schema of digest ${entry.tool_schema_sha256}`,
        `the digest of its schema is ${schema}`,
      );
}

function replyDrift(step: number, { tool, response_kind: kind }: TranscriptCall, last: ToolReply): Drift {
  if (last.kind === kind) return null;
  return drift(step, `a reply of kind ${kind} to ${tool}`, `it was of kind ${last.kind}`);
}

/** A page may reach the recorded state a little later than the reply. */
async function pageDrift(
  step: number,
  { tool, page_state_sha256: expected }: TranscriptCall,
  seat: AgentSeat,
  signal: AbortSignal,
): Promise<Drift> {
  if (expected === undefined) return null;
  const giveUpAt = performance.now() + PATIENCE_MS;
  let state: PageState | null;
  for (;;) {
    state = await seat.pageState();
    if (state?.sha256 === expected) return null;
    if (signal.aborted || performance.now() >= giveUpAt) break;
    await sleep(INTERVAL_MS);
  }
  const actual = state === null ? 'the page did not settle' : `it is ${state.sha256}: ${state.words}`;
  return drift(step, `page state ${expected} after ${tool}`, actual);
}

function drift(step: number, expected: string, actual: string): Drift {
  return { kind: 'drift', expected: `at step ${step} ${expected}`, actual };
}
