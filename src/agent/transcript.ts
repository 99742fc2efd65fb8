import path from 'node:path';
import { z } from 'zod';
import { hashJson } from '../contract/canonical.ts';
import { Answer } from '../contract/evidence.ts';
import { JsonObject, parsedOr } from '../contract/json.ts';
import type { ToolCall, ToolReply } from '../task/tool.ts';
import { fact } from '../messages/messages.ts';
import { AgentError } from './agent.ts';

const Provenance = z.union([
  z.literal('authored'),
  z.strictObject({ recorded: z.strictObject({ agent: z.string(), date: z.iso.date() }) }),
]);

const TranscriptHeader = z.strictObject({
  kind: z.literal('header'),
  schema_version: z.literal(1),
  task: z.string(),
  surface: z.string(),
  provenance: Provenance,
  /** Number of calls that follow, to notice a file that was cut off. */
  calls: z.int().min(0).optional(),
});
type TranscriptHeader = z.infer<typeof TranscriptHeader>;

export const TranscriptCall = z.strictObject({
  kind: z.literal('tool_call'),
  tool: z.string(),
  args: JsonObject,
  /** SHA-256 of the canonical JSON of `args`, to notice an edit. */
  args_digest_sha256: z.string(),
  response_kind: z.string(),
  /** SHA-256 of the canonical JSON of the schema of the tool's arguments. */
  tool_schema_sha256: z.string().optional(),
  /** The `PageState` after the call; left out if the browser was not at rest. */
  page_state_sha256: z.string().optional(),
});
export type TranscriptCall = z.infer<typeof TranscriptCall>;

const TranscriptEnd = z.strictObject({ kind: z.literal('done'), answer: Answer.nullable() });

/** One line of a transcript file: the header, then the calls, and at the end `done`, if the agent reported that. */
export const TranscriptLine = z.discriminatedUnion('kind', [TranscriptHeader, TranscriptCall, TranscriptEnd]);
export type TranscriptLine = z.infer<typeof TranscriptLine>;

export type SeenHashes = Pick<TranscriptCall, 'tool_schema_sha256' | 'page_state_sha256'>;

export function callLine(
  { tool, args }: ToolCall,
  { kind }: Pick<ToolReply, 'kind'>,
  seen: SeenHashes = {},
): TranscriptCall {
  return { kind: 'tool_call', tool, args, args_digest_sha256: hashJson(args), response_kind: kind, ...seen };
}

export interface Transcript {
  header: TranscriptHeader;
  entries: TranscriptCall[];
  ended: boolean;
  answer: Answer | null;
}

/** Reads a transcript: JSON lines, the first a header. @throws AgentError naming file and line */
export function parseTranscript(text: string, file: string): Transcript {
  const lines = text.split('\n').map((line, index) => ({ line, place: `${file}:${index + 1}` }));
  const parsed = lines
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, place }) => ({ entry: parseLine(line, place), place }));
  const [header, ...rest] = parsed;
  if (header?.entry.kind !== 'header') {
    throw new AgentError(fact('transcript_without_header', { place: header?.place ?? file }));
  }
  const transcript: Transcript = { header: header.entry, entries: [], ended: false, answer: null };
  for (const [index, { entry, place }] of rest.entries()) {
    if (entry.kind === 'header') throw new AgentError(fact('transcript_second_header', { place }));
    if (entry.kind === 'tool_call') {
      transcript.entries.push(entry);
    } else {
      if (index < rest.length - 1) throw new AgentError(fact('transcript_early_end', { place }));
      transcript.ended = true;
      transcript.answer = entry.answer;
    }
  }
  return transcript;
}

export function transcriptText({ header, entries, ended, answer }: Transcript): string {
  const end: TranscriptLine[] = ended ? [{ kind: 'done', answer }] : [];
  return [header, ...entries, ...end].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/**
 * Compares a transcript with an earlier one, as lines that begin with `-` or `+`. Its provenance is not compared, nor the hashes that could
 * not be recorded this time.
 */
export function transcriptDiff(before: Transcript | null, after: Transcript): string[] {
  const old = before === null ? [] : linesOf(before);
  const now = linesOf({ ...after, entries: after.entries.map((entry, at) => ({ ...before?.entries[at], ...entry })) });
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
  ];
}

function linesOf({ header: { calls }, entries, ended, answer }: Transcript): string[] {
  return [
    ...entries.map((entry, index) => {
      const { tool, args, response_kind: kind, tool_schema_sha256: schema, page_state_sha256: page } = entry;
      const seen = [kind, ...(schema === undefined ? [] : [schema]), ...(page === undefined ? [] : [page])];
      return `${index + 1} ${tool} ${JSON.stringify(args)} (${seen.map((each) => each.slice(0, 12)).join(', ')})`;
    }),
    ...(calls === undefined ? [] : [`calls ${calls}`]),
    ...(ended ? [`done ${JSON.stringify(answer)}`] : []),
  ];
}

function parseLine(line: string, place: string): TranscriptLine {
  const value = parsedOr(line, undefined);
  if (value === undefined) throw new AgentError(fact('transcript_not_json', { place }));
  const parsed = TranscriptLine.safeParse(value);
  if (parsed.success) return parsed.data;
  const why = parsed.error.issues.map(({ path: at, message }) => `${at.join('.')} ${message}`).join('; ');
  throw new AgentError(fact('transcript_bad_line', { place, why }));
}

export function transcriptFile(suiteFolder: string, task: string, surface: string): string {
  return path.join(suiteFolder, 'transcripts', `${task}.${surface}.jsonl`);
}

/** Names the file in pins, by the suite's folder alone. */
export function transcriptPin(suiteFolder: string, task: string, surface: string): string {
  return path.join(
    path.basename(suiteFolder),
    'transcripts',
    path.basename(transcriptFile(suiteFolder, task, surface)),
  );
}
