import { z } from 'zod';
import { JsonObject } from '../../contract/json.ts';
import { parsePlainly, type Parsed } from '../../contract/validation/problem.ts';

const Named = z.object({ name: z.string(), value: z.string().default('') });
const Body = z.object({
  mimeType: z.string().default(''),
  text: z.string().default(''),
  encoding: z.string().optional(),
  params: z.array(Named).optional(),
});

const Har = z.object({
  log: z.object({
    entries: z.array(
      z.object({
        request: z.object({ method: z.string(), url: z.string(), headers: z.array(Named), postData: Body.optional() }),
        response: z.object({
          status: z.int(),
          cookies: z.array(Named).default([]),
          content: Body.optional(),
        }),
        /** Parts of the exchange that a log of ours lacks. */
        _missing: z.array(z.string()).default([]),
      }),
    ),
  }),
});

/** A request with its response. Names of headers are in lower case. */
export interface Exchange {
  method: string;
  url: string;
  status: number;
  headers: ReadonlyMap<string, string>;
  posted: JsonObject | null;
  content: JsonObject | null;
  cookies: ReadonlyMap<string, string>;
  /** Parts that were not recorded; stored runs of others do not say. */
  missing?: readonly string[];
}

const STATIC = /\.(?:css|js|png|jpe?g|gif|svg|woff2?|ttf|ico|webp)$/;

/** Reads the exchanges of a HAR, without those for static files. */
export function exchangesIn(har: unknown): Parsed<Exchange[]> {
  const parsed = parsePlainly(Har, har);
  if (!parsed.ok) return parsed;
  const exchanges = parsed.value.log.entries.map(({ request, response, _missing: missing }) => ({
    method: request.method.toUpperCase(),
    url: request.url,
    status: response.status,
    headers: new Map(request.headers.map(({ name, value }) => [name.toLowerCase(), value])),
    posted: request.postData === undefined ? null : bodyIn(request.postData),
    content: response.content === undefined ? null : bodyIn(response.content),
    cookies: new Map(response.cookies.map(({ name, value }) => [name, decoded(value)])),
    missing,
  }));
  return { ok: true, value: exchanges.filter(({ url }) => !STATIC.test(url.split(/[?#]/, 1).join(''))) };
}

function bodyIn({ mimeType, text, encoding, params }: z.infer<typeof Body>): JsonObject | null {
  const whole = encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
  if (whole === '')
    return params === undefined || params.length === 0 ? null : firstOf(params.map(({ name, value }) => [name, value]));
  if (mimeType.includes('application/x-www-form-urlencoded')) return firstOf([...new URLSearchParams(whole)]);
  if (mimeType.includes('multipart/form-data')) return firstOf(partsIn(whole, mimeType));
  if (!mimeType.includes('json')) return null;
  try {
    return JsonObject.parse(JSON.parse(whole));
  } catch {
    return null;
  }
}

/** The first value of each field, as WebArena-Verified reads a form. */
function firstOf(fields: readonly [string, string][]): JsonObject {
  return Object.fromEntries(fields.toReversed());
}

function partsIn(text: string, mimeType: string): [string, string][] {
  const boundary = /boundary="?([^";\s]+)/.exec(mimeType)?.[1];
  if (boundary === undefined) return [];
  return text.split(`--${boundary}`).flatMap((part): [string, string][] => {
    const [, head = '', body = ''] = /^\s*(.*?)\r?\n\r?\n(.*?)(?:\r?\n)?$/s.exec(part) ?? [];
    const name = /[; ]name="([^"]*)"/i.exec(head)?.[1];
    return name === undefined ? [] : [[name, body]];
  });
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Whether the user, and not a script, made the browser open a page. */
export function isNavigation({ method, headers }: Exchange): boolean {
  const accept = headers.get('accept')?.toLowerCase() ?? '';
  if (method !== 'GET') return false;
  if (!headers.has('sec-fetch-user')) return accept.startsWith('text/html');
  const isPage = headers.get('sec-fetch-dest') === 'document' && headers.get('sec-fetch-mode') === 'navigate';
  return isPage && headers.get('sec-fetch-user') === '?1' && accept.includes('text/html');
}
