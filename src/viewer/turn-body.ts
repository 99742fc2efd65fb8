import { z } from 'zod';

/** A part of a message, as providers' APIs have them; what else is in it is shown as it is. */
const Part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }).transform(({ text }) => text.split('\n')),
  z.object({ type: z.literal('tool_use'), name: z.string(), input: z.unknown() }).transform(callLine),
  z
    .object({ type: z.literal('tool_result'), content: z.unknown() })
    .transform(({ content }) => ['← tool_result', ...textLines(content)]),
  // Google's.
  z.object({ text: z.string() }).transform(({ text }) => text.split('\n')),
  z
    .object({ functionCall: z.object({ name: z.string(), args: z.unknown() }) })
    .transform(({ functionCall: { name, args } }) => callLine({ name, input: args })),
  z
    .object({ functionResponse: z.object({ response: z.unknown() }) })
    .transform(({ functionResponse: { response } }) => ['← functionResponse', ...textLines(response)]),
  // OpenAI's.
  z
    .object({ function: z.object({ name: z.string(), arguments: z.string() }) })
    .transform(({ function: { name, arguments: args } }) => [`→ ${name} ${args}`]),
]);

const Parts = z.array(z.unknown());
const Message = z.looseObject({
  role: z.string().optional(),
  content: z.union([z.string(), Parts]).nullish(),
  parts: Parts.optional(),
  tool_calls: Parts.nullish(),
});
const Request = z.union([
  z.looseObject({ messages: z.array(Message).min(1) }).transform(({ messages }) => messages.at(-1)),
  z.looseObject({ contents: z.array(Message).min(1) }).transform(({ contents }) => contents.at(-1)),
]);
const Reply = z.union([
  z.looseObject({ content: Parts }),
  z
    .looseObject({ choices: z.tuple([z.looseObject({ message: Message })]) })
    .transform((body) => body.choices[0].message),
  z
    .looseObject({ candidates: z.tuple([z.looseObject({ content: Message })]) })
    .transform((body) => body.candidates[0].content),
]);

/** Return what is new in a request: its last message. Lines are not yet printable. */
export function requestLines(body: string): string[] {
  const parsed = Request.safeParse(jsonOrNull(body));
  return parsed.success && parsed.data !== undefined ? messageLines(parsed.data) : body.split('\n');
}

/** Return what a reply says and calls. */
export function replyLines(body: string): string[] {
  const parsed = Reply.safeParse(jsonOrNull(body));
  return parsed.success ? messageLines(parsed.data) : body.split('\n');
}

function messageLines(message: z.infer<typeof Message>): string[] {
  const { role, content, parts, tool_calls: calls } = message;
  const said = typeof content === 'string' ? content.split('\n') : (content ?? []).flatMap(partLines);
  const heading = role === 'tool' ? ['← tool'] : [];
  return [...heading, ...said, ...(parts ?? []).flatMap(partLines), ...(calls ?? []).flatMap(partLines)];
}

function partLines(part: unknown): string[] {
  const known = Part.safeParse(part);
  return known.success ? known.data : [JSON.stringify(part, withoutBytes)];
}

/** Bytes in Base64, as of a picture, tell nobody anything: only how many there are is shown. */
function withoutBytes(_name: string, value: unknown): unknown {
  const isBytes = typeof value === 'string' && /^(?:data:[\w/+.-]+;base64,)?[A-Za-z0-9+/]{200,}={0,2}$/.test(value);
  return isBytes ? `[${value.length} characters of Base64]` : value;
}

function callLine({ name, input }: { name: string; input?: unknown }): string[] {
  return [`→ ${name} ${JSON.stringify(input)}`];
}

function textLines(content: unknown): string[] {
  if (Array.isArray(content)) return content.flatMap(partLines);
  return (typeof content === 'string' ? content : JSON.stringify(content)).split('\n');
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
