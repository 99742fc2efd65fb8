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
  /** Number of calls that follow; the line `done` ends them. So a file that was cut off shows. */
  calls: z.int().min(0).optional(),
});
export type TranscriptHeader = z.infer<typeof TranscriptHeader>;

export const TranscriptCall = z.strictObject({
  kind: z.literal('tool_call'),
  tool: z.string(),
  args: JsonObject,
  /** SHA-256 of the canonical JSON of `args`: an edit that forgets it shows. */
  args_digest_sha256: z.string(),
  /** Kind of the reply when it was recorded. */
  response_kind: z.string(),
  /** SHA-256 of the canonical JSON of the schema of the tool's arguments. */
  tool_schema_sha256: z.string().optional(),
  /** The browser's state after the call, as `PageState` has it; left out where it was not at rest. */
  page_state_sha256: z.string().optional(),
});
export type TranscriptCall = z.infer<typeof TranscriptCall>;

export const TranscriptEnd = z.strictObject({ kind: z.literal('done'), answer: Answer.nullable() });

/** One line of a transcript file: the header first, then the calls, and at the end, if the agent said so, that it was done. */
export const TranscriptLine = z.discriminatedUnion('kind', [TranscriptHeader, TranscriptCall, TranscriptEnd]);
export type TranscriptLine = z.infer<typeof TranscriptLine>;

/** The facts that a recorder may have seen beside a call. */
export type SeenHashes = Pick<TranscriptCall, 'tool_schema_sha256' | 'page_state_sha256'>;

export function callLine(
  { tool, args }: ToolCall,
  { kind }: Pick<ToolReply, 'kind'>,
  seen: SeenHashes = {},
): TranscriptCall {
  return { kind: 'tool_call', tool, args, args_digest_sha256: hashJson(args), response_kind: kind, ...seen };
}
