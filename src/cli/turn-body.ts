import { z } from 'zod';

/** A block of a message, as providers' APIs have them; what else is in it is shown as it is. */
const Block = z.looseObject({ type: z.string() });
const Content = z.union([z.string(), z.array(z.union([Block, z.unknown()]))]);
const Request = z.looseObject({ messages: z.array(z.looseObject({ role: z.string(), content: Content })).min(1) });
const Reply = z.looseObject({ content: Content });

/** What is new in a request: its last message. Lines are not yet printable. */
export function requestLines(body: string): string[] {
  const parsed = Request.safeParse(jsonOrNull(body));
  const last = parsed.success ? parsed.data.messages.at(-1) : undefined;
  return last === undefined ? body.split('\n') : contentLines(last.content);
}

/** What a reply says and calls. */
export function replyLines(body: string): string[] {
  const parsed = Reply.safeParse(jsonOrNull(body));
  return parsed.success ? contentLines(parsed.data.content) : body.split('\n');
}

function contentLines(content: z.infer<typeof Content>): string[] {
  if (typeof content === 'string') return content.split('\n');
  return content.flatMap((block) => {
    const known = Shown.safeParse(block);
    if (!known.success) return [JSON.stringify(block)];
    const { type, ...rest } = known.data;
    if ('text' in rest) return rest.text.split('\n');
    if ('input' in rest) return [`→ ${rest.name} ${JSON.stringify(rest.input)}`];
    return [
      `← ${type}`,
      ...(typeof rest.content === 'string' ? rest.content : JSON.stringify(rest.content)).split('\n'),
    ];
  });
}

const Shown = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool_use'), name: z.string(), input: z.unknown() }),
  z.object({ type: z.literal('tool_result'), content: z.unknown() }),
]);

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
