import { z } from 'zod';
import { JsonObject } from '../contract/json.ts';
import { TargetReport } from './target.ts';

/** A tool as a surface offers it: the interface between agents and surfaces. */
export const ToolDefinition = z.object({
  name: z.string(),
  description: z.string(),
  /** JSON Schema of the arguments. */
  input_schema: JsonObject,
});
export type ToolDefinition = z.infer<typeof ToolDefinition>;

/** The next call that an agent wants. */
export interface ToolCall {
  tool: string;
  args: JsonObject;
}

/** A picture that a surface replies with. */
export const ReplyImage = z.strictObject({ media_type: z.literal('image/png'), base64: z.base64() });
export type ReplyImage = z.infer<typeof ReplyImage>;

/** The result of a call. A reply that is not `ok` is data too: the agent sees it and may recover. */
export const ToolReply = z.object({
  ok: z.boolean(),
  text: z.string(),
  /** The picture; absent where the text is all. */
  image: ReplyImage.optional(),
  /** The sort of reply, for example `snapshot`, `text` or `error`. */
  kind: z.string().max(100),
  /** The target of the call: null when it had none, absent when the surface does not say. Never shown to the agent. */
  target: TargetReport.nullable().optional(),
});
export type ToolReply = z.infer<typeof ToolReply>;

/** The reply to a call that came to nothing, with why. */
export function failedReply(text: string): ToolReply {
  return { ok: false, kind: 'error', text };
}
