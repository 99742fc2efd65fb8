import { parsedOr } from '../contract/json.ts';
import type { Row } from '../bundle/row.ts';
import { comparePage, type ViewedSide } from './compare-page.ts';
import { pairPage, type ReportedSide } from './pair-page.ts';
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

/** Answers a path by lookups alone; null if it names nothing. */
export async function answerTo(path: string, bundle: ViewedBundle): Promise<HttpAnswer | null> {
  // Browsers report a missing icon.
  if (path === '/favicon.ico') return textAnswer(204, '');
  const blob = BLOB.exec(path)?.[1];
  if (blob !== undefined) return bundle.names(blob) ? blobAnswer(await bundle.blobs.get(blob)) : null;
  const pair = COMPARE.exec(path);
  if (pair !== null) return comparison(pair, [{ bundle }, { bundle }]);
  const [, address = '', line] = EPISODE.exec(path) ?? [];
  const attempt = bundle.attempt(address);
  if (attempt === null) return null;
  return line === undefined
    ? pageAnswer(await episodePage(bundle, attempt))
    : eventAnswer(bundle, attempt.row, Number(line));
}

/** Answers for two bundles: the first address of a comparison is of the first, the second of the second. */
export async function pairAnswerTo(
  path: string,
  sides: readonly [ReportedSide, ReportedSide],
): Promise<HttpAnswer | null> {
  if (path === '/favicon.ico') return textAnswer(204, '');
  if (path === '/') return pageAnswer(await pairPage(...sides));
  const blob = BLOB.exec(path)?.[1];
  const owner = blob === undefined ? undefined : sides.find(({ bundle }) => bundle.names(blob));
  if (blob !== undefined) return owner === undefined ? null : blobAnswer(await owner.bundle.blobs.get(blob));
  const pair = COMPARE.exec(path);
  return pair === null ? null : comparison(pair, sides);
}

async function comparison(
  addresses: readonly string[],
  sides: readonly [ViewedSide, ViewedSide],
): Promise<HttpAnswer | null> {
  const [one, other] = [sides[0].bundle.attempt(addresses[1] ?? ''), sides[1].bundle.attempt(addresses[2] ?? '')];
  if (one === null || other === null) return null;
  return pageAnswer(
    await comparePage([
      { ...sides[0], row: one.row },
      { ...sides[1], row: other.row },
    ]),
  );
}

async function eventAnswer(bundle: ViewedBundle, row: Row, line: number): Promise<HttpAnswer | null> {
  for await (const each of viewedEvents(bundle.layout.attempt(row.episode_id, row.attempt))) {
    if (each.line === line) return textAnswer(200, await eventBody(each, bundle.blobs));
  }
  return null;
}

/**
 * The whole text of an event: arguments, replies, requests of a model; the JSON of others.
 * @throws BundleError if its blob is missing or altered
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
  return parsedOr(text, text);
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** A page under its own policy, which no other page may frame. */
export function pageAnswer({ html, policy }: Document): HttpAnswer {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `${policy}; frame-ancestors 'none'`,
  };
  return { status: 200, headers, body: html };
}

/** For content that may run, load or be framed nowhere. */
const SANDBOX = "sandbox; default-src 'none'; frame-ancestors 'none'";

export function textAnswer(status: number, text: string): HttpAnswer {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'content-security-policy': SANDBOX };
  return { status, headers, body: text };
}

/** A stranger's bytes, typed by themselves alone as a picture, text or a download, and never as markup. */
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
