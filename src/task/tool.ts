import { z } from 'zod';
import { JsonObject } from '../contract/json.ts';
import { TargetReport } from './target.ts';

/** A tool of a surface: the interface between agents and surfaces. */
export const ToolDefinition = z.object({
  name: z.string(),
  description: z.string(),
  input_schema: JsonObject,
});
export type ToolDefinition = z.infer<typeof ToolDefinition>;

export interface ToolCall {
  tool: string;
  args: JsonObject;
}

export const ReplyImage = z.strictObject({ media_type: z.literal('image/png'), base64: z.base64() });
export type ReplyImage = z.infer<typeof ReplyImage>;

/** A reply that is not `ok` is data too: the agent sees it and may recover. */
export const ToolReply = z.object({
  ok: z.boolean(),
  text: z.string(),
  image: ReplyImage.optional(),
  /** For example `snapshot`, `text` or `error`. */
  kind: z.string().max(100),
  /** Null without a target, absent if the surface does not report it. Never shown to the agent. */
  target: TargetReport.nullable().optional(),
});
export type ToolReply = z.infer<typeof ToolReply>;

export function failedReply(text: string): ToolReply {
  return { ok: false, kind: 'error', text };
}
