import { z } from 'zod';
import { hashJson } from '../contract/canonical.ts';
import { Answer } from '../contract/evidence.ts';
import { JsonObject } from '../contract/json.ts';
import type { ToolCall, ToolReply } from '../task/tool.ts';

const Provenance = z.union([
  z.literal('authored'),
  z.strictObject({ recorded: z.strictObject({ agent: z.string(), date: z.iso.date() }) }),
]);

export const TranscriptHeader = z.strictObject({
  kind: z.literal('header'),
  schema_version: z.literal(1),
  task: z.string(),
  surface: z.string(),
  provenance: Provenance,
});

export const TranscriptCall = z.strictObject({
  kind: z.literal('tool_call'),
  tool: z.string(),
  args: JsonObject,
  /** SHA-256 of the canonical JSON of `args`: an edit that forgets it shows. */
  args_digest_sha256: z.string(),
  /** Kind of the reply when it was recorded. */
  response_kind: z.string(),
});

export const TranscriptEnd = z.strictObject({ kind: z.literal('done'), answer: Answer.nullable() });

/** One line of a transcript file: the header first, then the calls, and at the end, if the agent said so, that it was done. */
export const TranscriptLine = z.discriminatedUnion('kind', [TranscriptHeader, TranscriptCall, TranscriptEnd]);
export type TranscriptLine = z.infer<typeof TranscriptLine>;

/** The line for a call and what came of it. */
export function callLine({ tool, args }: ToolCall, { kind }: Pick<ToolReply, 'kind'>): TranscriptLine {
  return { kind: 'tool_call', tool, args, args_digest_sha256: hashJson(args), response_kind: kind };
}
