import { isUtf8 } from 'node:buffer';
import type { Document } from '../report/html/document.ts';
import { pictureType } from '../report/picture-type.ts';

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
export function blobAnswer(bytes: Buffer): HttpAnswer {
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
