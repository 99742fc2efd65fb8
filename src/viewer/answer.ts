import { isUtf8 } from 'node:buffer';
import type { Document } from '../report/html/document.ts';

/** The answer to a request. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** A page of ours, under its own policy; no other page may frame it. */
export function pageAnswer({ html, policy }: Document): Answer {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `${policy}; frame-ancestors 'none'`,
  };
  return { status: 200, headers, body: html };
}

/** Nothing runs, loads or is framed in what is no page of ours. */
const SANDBOX = "sandbox; default-src 'none'; frame-ancestors 'none'";

/** Text, whatever it says. */
export function textAnswer(status: number, text: string): Answer {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'content-security-policy': SANDBOX };
  return { status, headers, body: text };
}

/** The first bytes of a PNG. */
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * Bytes that a stranger chose. What they are is told by themselves alone: a picture, text, or else a file to be kept. Nothing
 * of it is ever markup.
 */
export function blobAnswer(bytes: Buffer): Answer {
  const headers = { 'content-security-policy': SANDBOX, 'cache-control': 'private, max-age=31536000, immutable' };
  const as = (type: string, more = {}): Answer => ({
    status: 200,
    headers: { 'content-type': type, ...headers, ...more },
    body: bytes,
  });
  if (bytes.subarray(0, PNG.length).equals(PNG)) return as('image/png');
  if (isUtf8(bytes)) return as('text/plain; charset=utf-8');
  return as('application/octet-stream', { 'content-disposition': 'attachment' });
}
