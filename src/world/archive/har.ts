import { z } from 'zod';

const Header = z.object({ name: z.string(), value: z.string() });
const Headers = z.array(Header);
export type Header = z.infer<typeof Header>;

/** Where a body lies in the zip: named after the SHA-256 of its bytes. Playwright reads the same field. */
const BodyName = z.string().regex(/^bodies\/[0-9a-f]{64}$/, 'is no name of a body; it is "bodies/<sha256>"');

const RequestBody = z.object({
  mimeType: z.string(),
  params: z.array(z.unknown()),
  text: z.string(),
  _file: BodyName,
  /** SHA-256, hex, of what requests are compared by: the body with the boundary of its parts left out. */
  _digest: z.string().regex(/^[0-9a-f]{64}$/, 'is no SHA-256'),
});

/** One exchange. Bodies are as they were after decoding, whatever `content-encoding` says. */
const HarEntry = z.object({
  pageref: z.string(),
  /** The response holds for every query: that of a stand-in, which is a file. */
  _any_query: z.boolean().optional(),
  startedDateTime: z.string(),
  /** In ms. */
  time: z.number(),
  request: z.object({
    method: z.string(),
    url: z.url({ protocol: /^https?$/, error: 'is no http or https address' }),
    httpVersion: z.string(),
    cookies: z.array(z.unknown()),
    headers: Headers,
    queryString: z.array(Header),
    headersSize: z.number(),
    bodySize: z.number(),
    postData: RequestBody.optional(),
  }),
  response: z.object({
    status: z.int().min(200).max(599),
    statusText: z.string(),
    httpVersion: z.string(),
    cookies: z.array(z.unknown()),
    headers: Headers,
    content: z.object({ size: z.number(), mimeType: z.string(), _file: BodyName.optional() }),
    redirectURL: z.string(),
    headersSize: z.number(),
    bodySize: z.number(),
  }),
  cache: z.object({}),
  timings: z.object({ send: z.number(), wait: z.number(), receive: z.number() }),
  serverIPAddress: z.string().optional(),
});
export type HarEntry = z.infer<typeof HarEntry>;

/** Where the exchanges of an archive come from. */
export const Provenance = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('recorded'),
    started_at: z.iso.datetime(),
    ended_at: z.iso.datetime(),
    /** The browser that asked, and the platform that it ran on. */
    browser: z.string(),
    platform: z.string(),
    /** Addresses that the recorder was told to ask instead of those that the names stand for, as they were given. */
    connect_to: z.array(z.string()),
  }),
  /** Stand-in pages that somebody wrote. */
  z.strictObject({ kind: z.literal('facsimile') }),
]);
export type Provenance = z.infer<typeof Provenance>;

/** An exchange that the recorder saw and could not keep. */
const NotRecorded = z.strictObject({ method: z.string(), url: z.string(), why: z.string() });
export type NotRecorded = z.infer<typeof NotRecorded>;

/** What the archive says of itself beside HAR 1.2. */
const Touchstone = z.strictObject({
  schema_version: z.literal(1),
  provenance: Provenance,
  not_recorded: z.array(NotRecorded),
});

/** The index of an archive: HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/) with a `_touchstone` of our own. */
export const Har = z.object({
  log: z.object({
    version: z.literal('1.2'),
    creator: z.object({ name: z.string(), version: z.string() }),
    /** One for each task that was recorded, by its id, and others for what was found beside their path. */
    pages: z.array(
      z.object({ startedDateTime: z.string(), id: z.string(), title: z.string(), pageTimings: z.object({}) }),
    ),
    entries: z.array(HarEntry).max(1_000_000),
    _touchstone: Touchstone,
  }),
});
export type Har = z.infer<typeof Har>;

/** An exchange as it is searched and served. */
export interface RecordedExchange {
  /** What it belongs to: the id of a task, or words for what is beside every task. */
  page: string;
  method: string;
  url: string;
  /** What the request's body is compared by; null when it had none. */
  digest: string | null;
  /** The response holds for every query. */
  anyQuery: boolean;
  status: number;
  headers: readonly Header[];
  /** Name of the response's body in the archive; null when it has none. */
  body: string | null;
  /** Size of that body, in bytes. */
  size: number;
}

/** What an index says. */
export interface ReadHar {
  exchanges: RecordedExchange[];
  provenance: Provenance;
  notRecorded: readonly NotRecorded[];
}

/** @throws Error naming the first thing that is wrong. */
export function readHar(text: string): ReadHar {
  const parsed = Har.safeParse(JSON.parse(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  const { entries, _touchstone: touchstone } = parsed.data.log;
  const { provenance, not_recorded: notRecorded } = touchstone;
  return { exchanges: entries.map(recordedExchange), provenance, notRecorded };
}

/** What of an entry is searched and served. */
export function recordedExchange({
  pageref,
  request,
  response,
  _any_query: anyQuery = false,
}: HarEntry): RecordedExchange {
  const { method, url, postData } = request;
  const { _digest: digest = null } = postData ?? {};
  const { _file: body = null, size } = response.content;
  return {
    page: pageref,
    method,
    url,
    digest,
    anyQuery,
    status: response.status,
    headers: response.headers,
    body,
    size,
  };
}

/** The first value of a header, or null. */
export function headerOf(headers: readonly Header[], name: string): string | null {
  return headers.find((header) => header.name.toLowerCase() === name)?.value ?? null;
}
