import type { BlobStore } from '../bundle/blobs.ts';
import { messageOf } from '../contract/message-of.ts';
import { wellFormed } from '../contract/strings.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import { bodyAt, foldedText, lines } from './folded.ts';
import { whenOf } from './step-details.ts';
import type { TimelineMoment, Timeline } from './timeline.ts';
import { replyLines } from './turn-body.ts';
import { turnText } from './event-words.ts';

type Turn = Extract<TimelineMoment, { kind: 'turn' }>;

/** Most turns whose replies stand in the page itself, and most characters of one. */
const SHOWN = { turns: 100, characters: 1_200 };

/** Draw what a model was told and what it said, as a chat; nothing where none was asked. */
export async function conversationSection(
  { moments }: Timeline,
  blobs: Pick<BlobStore, 'get'>,
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

async function turnItem(
  { begun, ended }: Turn,
  blobs: Pick<BlobStore, 'get'> | null,
  address: string,
): Promise<Markup> {
  const { turn } = begun.event;
  const request = foldedText('What the model was told last', {
    whole: bodyAt(address, begun.line),
    label: `Request of turn ${turn}`,
  });
  const facts = ended === null ? 'no reply was recorded' : turnText(ended.event);
  return markup`<li><h3>Turn ${turn}</h3>
<div class="bubble told">${request}</div>
${ended === null ? null : await replyBubble(ended, blobs, bodyAt(address, ended.line))}
<p class="quiet">${[...whenOf(begun.at), facts].join(' · ')}</p></li>`;
}

async function replyBubble(
  { event }: NonNullable<Turn['ended']>,
  blobs: Pick<BlobStore, 'get'> | null,
  whole: string,
): Promise<Markup | null> {
  const { turn, reply, reply_blob: blob } = event;
  if (reply === '' && blob === null) return null;
  const folded = foldedText('What it said', { whole, label: `Reply of turn ${turn}` });
  if (blobs === null) return markup`<div class="bubble own">${folded}</div>`;
  const text = replyLines(blob === null ? reply : await textOf(blob, blobs)).join('\n');
  const short = wellFormed(text.slice(0, SHOWN.characters));
  return markup`<div class="bubble own"><p class="speech">${lines(short)}</p>${short === text ? null : folded}</div>`;
}

async function textOf(blob: string, blobs: Pick<BlobStore, 'get'>): Promise<string> {
  try {
    return (await blobs.get(blob)).toString('utf8');
  } catch (error) {
    return `It cannot be read: ${messageOf(error)}`;
  }
}
