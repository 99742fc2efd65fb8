import type { Row } from '../bundle/row.ts';
import { comparePage } from './compare-page.ts';
import { episodePage } from './episode-page.ts';
import type { ViewedBundle } from './viewed-bundle.ts';
import { viewedEvents, type ViewedEvent } from './event-words.ts';
import type { BlobStore } from '../bundle/blobs.ts';
import type { EpisodeEvent } from '../episode/events.ts';
import { printableLines } from '../messages/printable.ts';
import { replyLines, requestLines } from './conversation.ts';
import { isUtf8 } from 'node:buffer';
import type { Document } from '../report/html/document.ts';
import { pictureType } from '../report/html/failure-gallery.ts';

const EPISODE = /^(\/episodes\/[0-9a-f]{16,64}\/[1-9]\d{0,2})(?:\/events\/([1-9]\d{0,8}))?$/;
const ATTEMPT = String.raw`\/episodes\/[0-9a-f]{16,64}\/[1-9]\d{0,2}`;
const COMPARE = new RegExp(`^/compare(${ATTEMPT})(${ATTEMPT})$`);
const BLOB = /^\/blobs\/([0-9a-f]{64})$/;

/** Find what of a bundle stands behind an address; null where nothing does. An address is only ever looked up. */
export async function answerTo(path: string, bundle: ViewedBundle): Promise<HttpAnswer | null> {
  // Every browser asks for one, and would say that there is none.
  if (path === '/favicon.ico') return textAnswer(204, '');
  const blob = BLOB.exec(path)?.[1];
  if (blob !== undefined) return bundle.names(blob) ? blobAnswer(await bundle.blobs.get(blob)) : null;
  const pair = COMPARE.exec(path)
    ?.slice(1)
    .flatMap((each) => bundle.attempt(each) ?? []);
  if (pair !== undefined) return pair.length === 2 ? pageAnswer(await comparePage(bundle, pair)) : null;
  const [, address = '', line] = EPISODE.exec(path) ?? [];
  const attempt = bundle.attempt(address);
  if (attempt === null) return null;
  return line === undefined
    ? pageAnswer(await episodePage(bundle, attempt))
    : eventAnswer(bundle, attempt.row, Number(line));
}

async function eventAnswer(bundle: ViewedBundle, row: Row, line: number): Promise<HttpAnswer | null> {
  for await (const each of viewedEvents(bundle.layout.attempt(row.episode_id, row.attempt))) {
    if (each.line === line) return textAnswer(200, await eventBody(each, bundle.blobs));
  }
  return null;
}

/**
 * All that an event holds, as text that is fit to be shown: what a call was given, what it brought, what a model was told and
 * said; of all others the JSON.
 * @throws BundleError when the blob that it lies in is missing or has other bytes.
 */
async function eventBody({ event, value }: ViewedEvent, blobs: BlobStore): Promise<string> {
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

export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** A page of ours, under its own policy; no other page may frame it. */
export function pageAnswer({ html, policy }: Document): HttpAnswer {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `${policy}; frame-ancestors 'none'`,
  };
  return { status: 200, headers, body: html };
}

/** Nothing runs, loads or is framed in what is no page of ours. */
const SANDBOX = "sandbox; default-src 'none'; frame-ancestors 'none'";

/** Text, whatever it says. */
export function textAnswer(status: number, text: string): HttpAnswer {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'content-security-policy': SANDBOX };
  return { status, headers, body: text };
}

/**
 * Bytes that a stranger chose. What they are is told by themselves alone: a picture, text, or else a file to be kept. Nothing
 * of it is ever markup.
 */
function blobAnswer(bytes: Buffer): HttpAnswer {
  const headers = { 'content-security-policy': SANDBOX, 'cache-control': 'private, max-age=31536000, immutable' };
  const as = (type: string, more = {}): HttpAnswer => ({
    status: 200,
    headers: { 'content-type': type, ...headers, ...more },
    body: bytes,
  });
  const picture = pictureType(bytes);
  if (picture !== null) return as(picture);
  if (isUtf8(bytes)) return as('text/plain; charset=utf-8');
  return as('application/octet-stream', { 'content-disposition': 'attachment' });
}
