import type { BlobStore } from '../bundle/blobs.ts';
import type { EpisodeEvent } from '../episode/events.ts';
import { printableLines } from '../messages/printable.ts';
import { replyLines, requestLines } from './turn-body.ts';
import type { ViewedEvent } from './viewed-event.ts';

/**
 * All that an event holds, as text that is fit to be shown: what a call was given, what it brought, what a model was told and
 * said; of all others the JSON.
 * @throws BundleError when the blob that it lies in is missing or has other bytes.
 */
export async function eventBody({ event, value }: ViewedEvent, blobs: BlobStore): Promise<string> {
  return printableLines(event === null ? inJson(value) : await bodyOf(event, blobs));
}

async function bodyOf(event: EpisodeEvent, blobs: BlobStore): Promise<string> {
  const whole = async (blob: string | null, inline: string): Promise<string> =>
    blob === null ? inline : (await blobs.get(blob)).toString('utf8');
  if (event.type === 'call') return inJson(parsed(await whole(event.args_blob, JSON.stringify(event.args))));
  if (event.type === 'result') return whole(event.text_blob, event.text);
  if (event.type === 'turn') return requestLines(await whole(event.request_blob, event.request)).join('\n');
  if (event.type === 'turn_ended') return replyLines(await whole(event.reply_blob, event.reply)).join('\n');
  if (event.type === 'tools') return inJson(parsed(await whole(event.tools_blob, JSON.stringify(event.tools))));
  return inJson(event);
}

function inJson(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
