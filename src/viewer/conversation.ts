import type { BlobSource } from '../bundle/blobs.ts';
import { parsedOr } from '../contract/json.ts';
import { messageOf } from '../contract/message-of.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import type { TimelineMoment, Timeline } from './timeline.ts';
import { turnText } from './event-words.ts';
import { z } from 'zod';
import { integerText, secondsText } from '../report/numbers.ts';

type Turn = Extract<TimelineMoment, { kind: 'turn' }>;

/** Most turns with replies in the page itself, and most characters of one. */
const SHOWN = { turns: 100, characters: 1_200 };

/** Draws the requests and replies of a model as a chat; null if none was asked. */
export async function conversationSection(
  { moments }: Timeline,
  blobs: BlobSource,
  address: string,
): Promise<Markup | null> {
  const turns = moments.filter((each) => each.kind === 'turn');
  if (turns.length === 0) return null;
  const items = turns.map((turn, at) => turnItem(turn, at < SHOWN.turns ? blobs : null, address));
  return markup`<section aria-labelledby="conversation">
<h2 id="conversation">Conversation with the model</h2>
<ol class="chat">${await Promise.all(items)}</ol>
</section>`;
}

async function turnItem({ begun, ended }: Turn, blobs: BlobSource | null, address: string): Promise<Markup> {
  const { turn } = begun.event;
  const request = foldedText('Last message to the model', {
    whole: bodyAt(address, begun.line),
    label: `Request of turn ${turn}`,
  });
  const facts = ended === null ? 'no reply was recorded' : turnText(ended.event);
  return markup`<li><h3>Turn ${turn}</h3>
<div class="bubble request">${request}</div>
${ended === null ? null : await replyBubble(ended, blobs, bodyAt(address, ended.line))}
<p class="quiet">${[...whenOf(begun.at), facts].join(' · ')}</p></li>`;
}

async function replyBubble(
  { event }: NonNullable<Turn['ended']>,
  blobs: BlobSource | null,
  whole: string,
): Promise<Markup | null> {
  const { turn, reply, reply_blob: blob } = event;
  if (reply === '' && blob === null) return null;
  const folded = foldedText('Its reply', { whole, label: `Reply of turn ${turn}` });
  if (blobs === null) return markup`<div class="bubble own">${folded}</div>`;
  const text = replyLines(blob === null ? reply : await textOf(blob, blobs)).join('\n');
  const short = text.slice(0, SHOWN.characters);
  return markup`<div class="bubble own"><p class="speech">${lines(short)}</p>${short === text ? null : folded}</div>`;
}

async function textOf(blob: string, blobs: BlobSource): Promise<string> {
  try {
    return (await blobs.get(blob)).toString('utf8');
  } catch (error) {
    return `It cannot be read: ${messageOf(error)}`;
  }
}

/** A part of a message in the providers' APIs; unknown parts are shown as JSON. */
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

/** The last message of a request, which is the new one; not yet printable. */
export function requestLines(body: string): string[] {
  const parsed = Request.safeParse(parsedOr(body, null));
  return parsed.success && parsed.data !== undefined ? messageLines(parsed.data) : body.split('\n');
}

/** The text and the calls of a reply; not yet printable. */
export function replyLines(body: string): string[] {
  const parsed = Reply.safeParse(parsedOr(body, null));
  return parsed.success ? messageLines(parsed.data) : body.split('\n');
}

/** The text of a reply without its calls; empty if it is of an unknown shape. */
export function spokenText(body: string): string {
  const parsed = Reply.safeParse(parsedOr(body, null));
  return parsed.success ? textIn(parsed.data) : '';
}

function textIn({ content, parts }: z.infer<typeof Message>): string {
  if (typeof content === 'string') return content;
  const texts = [...(content ?? []), ...(parts ?? [])].flatMap((part) => TextPart.safeParse(part).data?.text ?? []);
  return texts.join('\n');
}

const TextPart = z.object({ text: z.string() });

function messageLines(message: z.infer<typeof Message>): string[] {
  const { role, content, parts, tool_calls: calls } = message;
  const texts = typeof content === 'string' ? content.split('\n') : (content ?? []).flatMap(partLines);
  const heading = role === 'tool' ? ['← tool'] : [];
  return [...heading, ...texts, ...(parts ?? []).flatMap(partLines), ...(calls ?? []).flatMap(partLines)];
}

function partLines(part: unknown): string[] {
  const known = Part.safeParse(part);
  return known.success ? known.data : [JSON.stringify(part, withoutBytes)];
}

/** Replaces bytes in Base64, such as pictures, by their number. */
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

/** Most lines and characters of a text in the page itself. */
const BEGINNING = { lines: 30, characters: 2_000 };

export function lines(text: string): Markup[] {
  return text.split('\n').map((line, at) => markup`${at === 0 ? '' : NEWLINE}${line}`);
}

const NEWLINE = markup`
`;

/**
 * A short text, or the beginning of a long one with the rest folded.
 * @param whole the address of all of it; `label` names it for screen readers
 */
export function foldedLongText(text: string, { whole, label }: { whole: string; label: string }): Markup {
  const short = beginningOf(text);
  if (short === text) return markup`<pre class="text">${lines(text)}</pre>`;
  return markup`<div class="long"><pre class="text beginning">${lines(short)}</pre>
${foldedText(`Show all of it (${integerText(text.length)} characters)`, { whole, label })}</div>`;
}

/** A text that is fetched when it is opened; without a script it is a link. */
export function foldedText(summary: string, { whole, label }: { whole: string; label: string }): Markup {
  return markup`<details class="folded" data-from="${whole}"><summary>${summary}</summary><p><a href="${whole}">${label} as plain text</a></p><pre class="text" role="region" aria-label="${label}" tabindex="0" hidden></pre></details>`;
}

/** The address of the whole text of an event. @param address of the attempt's page */
export function bodyAt(address: string, line: number): string {
  return `${address}/events/${line}`;
}

function beginningOf(text: string): string {
  const start = text.slice(0, BEGINNING.characters);
  return start.split('\n').slice(0, BEGINNING.lines).join('\n');
}

export function whenOf(at: number | null): string[] {
  const time = secondsText(at);
  return time === null ? [] : [`at ${time}`];
}
