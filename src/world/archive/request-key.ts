import { createHash } from 'node:crypto';

/** Tells requests apart. Two with the same key ask for the same thing. */
export interface RequestKey {
  method: string;
  url: string;
  /** SHA-256 of the body, see {@link bodyDigest}; null when there is none. */
  digest: string | null;
}

/** The key as text. The order of a query's parameters, those that are to be ignored, and the fragment do not count. */
export function requestKey({ method, url, digest }: RequestKey, ignoreQuery: ReadonlySet<string>): string {
  const { origin, pathname, searchParams } = new URL(url);
  const counting = new URLSearchParams([...searchParams].filter(([name]) => !ignoreQuery.has(name)));
  counting.sort();
  return `${method} ${origin}${pathname}?${counting.toString()} ${digest ?? ''}`;
}

/** The digest that a body is compared by. Browsers choose the boundary between the parts of a form at random, so it does not count. */
export function bodyDigest(body: Uint8Array, contentType: string | null): string | null {
  if (body.byteLength === 0) return null;
  const boundary = /^multipart\/.*;\s*boundary="?([^";]+)"?/i.exec(contentType ?? '')?.[1];
  const compared =
    boundary === undefined
      ? body
      : Buffer.from(Buffer.from(body).toString('latin1').replaceAll(boundary, ''), 'latin1');
  return createHash('sha256').update(compared).digest('hex');
}
