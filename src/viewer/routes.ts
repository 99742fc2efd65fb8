import type { Row } from '../bundle/row.ts';
import { type HttpAnswer, blobAnswer, pageAnswer, textAnswer } from './answer.ts';
import { comparePage } from './compare-page.ts';
import { episodePage } from './episode-page.ts';
import { eventBody } from './event-body.ts';
import type { ViewedBundle } from './viewed-bundle.ts';
import { viewedEvents } from './viewed-event.ts';

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
