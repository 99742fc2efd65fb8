import type { Answer } from '../contract/evidence.ts';
import { AgentError } from './agent.ts';
import { type TranscriptCall, type TranscriptHeader, TranscriptLine } from './transcript-line.ts';

/** A recorded or authored sequence of calls, ended by the agent's answer or simply by its end. */
export interface Transcript {
  header: TranscriptHeader;
  entries: TranscriptCall[];
  /** Whether it ends with a line `done`. */
  ended: boolean;
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
  const transcript: Transcript = { header: header.entry, entries: [], ended: false, answer: null };
  for (const [index, { entry, place }] of rest.entries()) {
    if (entry.kind === 'header') throw badTranscript(`${place}: there is a header already`);
    if (entry.kind === 'tool_call') {
      transcript.entries.push(entry);
    } else {
      if (index < rest.length - 1) throw badTranscript(`${place}: "done" may only be the last line`);
      transcript.ended = true;
      transcript.answer = entry.answer;
    }
  }
  return transcript;
}

/** A transcript as its file has it; {@link parseTranscript} reads it. */
export function transcriptText({ header, entries, ended, answer }: Transcript): string {
  const end: TranscriptLine[] = ended ? [{ kind: 'done', answer }] : [];
  return [header, ...entries, ...end].map((line) => `${JSON.stringify(line)}\n`).join('');
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

export function badTranscript(message: string): AgentError {
  return new AgentError(
    'bad_transcript',
    message,
    'record or write the transcript again; docs/write-a-task.md shows its form',
  );
}
