import type { z } from 'zod';
import { hashJson } from '../contract/canonical.ts';
import type { Answer } from '../contract/evidence.ts';
import type { ToolReply } from '../task/tool.ts';
import { type Agent, AgentError, type Move } from './agent.ts';
import { type TranscriptCall, TranscriptLine } from './transcript-line.ts';

/** A recorded or authored sequence of calls, ended by the agent's answer or simply by its end. */
export interface Transcript {
  task: string;
  surface: string;
  entries: z.infer<typeof TranscriptCall>[];
  answer: Answer | null;
}

/**
 * Reads a transcript: JSON lines, the first a header.
 * @throws AgentError `bad_transcript` naming file and line.
 */
export function parseTranscript(text: string, file: string): Transcript {
  const lines = text.split('\n').map((line, index) => ({ line, place: `${file}:${index + 1}` }));
  const parsed = lines
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, place }) => ({ entry: parseLine(line, place), place }));
  const [header, ...rest] = parsed;
  if (header?.entry.kind !== 'header') {
    throw badTranscript(`${header?.place ?? file}: the first line must be the header`);
  }
  const { task, surface } = header.entry;
  const transcript: Transcript = { task, surface, entries: [], answer: null };
  for (const [index, { entry, place }] of rest.entries()) {
    if (entry.kind === 'header') throw badTranscript(`${place}: there is a header already`);
    if (entry.kind === 'tool_call') {
      transcript.entries.push(entry);
    } else {
      if (index < rest.length - 1) throw badTranscript(`${place}: "done" may only be the last line`);
      transcript.answer = entry.answer;
    }
  }
  return transcript;
}

/** Issues the calls of a transcript again. What differs from the record is drift, and ends the episode. */
export function transcriptAgent(id: string, { task, surface, entries, answer }: Transcript): Agent {
  return {
    id,
    decider: 'transcript',
    open: async ({ brief, surface: seatedAt, tools }) => {
      if (task !== brief.id || surface !== seatedAt) {
        throw badTranscript(`it is of task ${task} through ${surface}, and this is ${brief.id} through ${seatedAt}`);
      }
      let position = 0;
      const names = new Set(tools.map(({ name }) => name));
      const next = (last: ToolReply | null): Move => {
        const before = entries[position - 1];
        if (before !== undefined && last !== null && last.kind !== before.response_kind) {
          return drift(
            position,
            `a reply of kind ${before.response_kind} to ${before.tool}`,
            `it was of kind ${last.kind}`,
          );
        }
        const entry = entries[position];
        if (entry === undefined) return { kind: 'done', answer };
        position += 1;
        const digest = hashJson(entry.args);
        if (digest !== entry.args_digest_sha256) {
          return drift(position, `args with digest ${entry.args_digest_sha256}`, `the digest of its args is ${digest}`);
        }
        if (!names.has(entry.tool)) return drift(position, `a tool ${entry.tool}`, 'the surface has none of that name');
        return { kind: 'call', call: { tool: entry.tool, args: entry.args } };
      };
      return { next: async (last) => next(last) };
    },
  };
}

function drift(step: number, expected: string, actual: string): Move {
  return { kind: 'drift', expected: `at step ${step} ${expected}`, actual };
}

function parseLine(line: string, place: string): TranscriptLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw badTranscript(`${place}: is not JSON`);
  }
  const parsed = TranscriptLine.safeParse(value);
  if (parsed.success) return parsed.data;
  throw badTranscript(
    `${place}: ${parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')}`,
  );
}

function badTranscript(message: string): AgentError {
  return new AgentError(
    'bad_transcript',
    message,
    'record or write the transcript again; docs/write-a-task.md shows its form',
  );
}
