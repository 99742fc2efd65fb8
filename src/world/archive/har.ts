import { z } from 'zod';

const Header = z.object({ name: z.string(), value: z.string() });
export type Header = z.infer<typeof Header>;

/** Where a body lies in the zip: named after the SHA-256 of its bytes. Playwright reads the same field. */
const BodyName = z.string().regex(/^bodies\/[0-9a-f]{64}$/, 'is not the name of a body; it is "bodies/<sha256>"');

/** SHA-256, hex, of what requests are compared by: the body with the boundary of its parts left out. */
const Digest = z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256');

/** The part of an entry that is searched and served; the rest is for other readers of HAR, and not looked at. */
const ServedEntry = z.object({
  pageref: z.string(),
  /** The response holds for every query: that of a stand-in, which is a file. */
  _any_query: z.boolean().optional(),
  request: z.object({
    method: z.string(),
    url: z.url({ protocol: /^https?$/, error: 'is not an http or https address' }),
    postData: z
      .object({
        _digest: Digest,
      })
      .optional(),
  }),
  response: z.object({
    status: z.int().min(200).max(599),
    headers: z.array(Header),
    content: z.object({ size: z.number(), _file: BodyName.optional() }),
  }),
});
type ServedEntry = z.infer<typeof ServedEntry>;

const Size = z.number();

/** One exchange as it is written. Bodies are decoded, even if `content-encoding` names an encoding. */
const HarEntry = ServedEntry.extend({
  startedDateTime: z.string(),
  /** In ms. */
  time: z.number(),
  request: ServedEntry.shape.request.extend({
    httpVersion: z.string(),
    cookies: z.array(z.never()),
    headers: z.array(Header),
    queryString: z.array(Header),
    headersSize: Size,
    bodySize: Size,
    postData: z
      .object({
        mimeType: z.string(),
        params: z.array(z.never()),
        text: z.string(),
        _file: BodyName,
        _digest: Digest,
      })
      .optional(),
  }),
  response: ServedEntry.shape.response.extend({
    statusText: z.string(),
    httpVersion: z.string(),
    cookies: z.array(z.never()),
    content: ServedEntry.shape.response.shape.content.extend({ mimeType: z.string() }),
    redirectURL: z.string(),
    headersSize: Size,
    bodySize: Size,
  }),
  cache: z.strictObject({}),
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
    /** Addresses that the recorder asked instead of those of the names, as they were given. */
    connect_to: z.array(z.string()),
  }),
  /** Stand-in pages that a person wrote. */
  z.strictObject({ kind: z.literal('facsimile') }),
]);
export type Provenance = z.infer<typeof Provenance>;

/** An exchange that the recorder saw and could not keep. */
const NotRecorded = z.strictObject({ method: z.string(), url: z.string(), why: z.string() });
export type NotRecorded = z.infer<typeof NotRecorded>;

/** The archive's own description, in addition to HAR 1.2. */
const Touchstone = z.strictObject({
  schema_version: z.literal(1),
  provenance: Provenance,
  not_recorded: z.array(NotRecorded),
});

/** The index of an archive: HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/) with a `_touchstone` of our own. */
const ServedHar = z.object({
  log: z.object({
    version: z.literal('1.2'),
    creator: z.object({ name: z.string(), version: z.string() }),
    entries: z.array(ServedEntry).max(1_000_000),
    _touchstone: Touchstone,
  }),
});

/** The index as it is written. */
export interface Har {
  log: {
    version: '1.2';
    creator: { name: string; version: string };
    /** One for each recorded task, by its id, and others for exchanges off their routes. */
    pages: { startedDateTime: string; id: string; title: string; pageTimings: Record<string, never> }[];
    entries: HarEntry[];
    _touchstone: z.infer<typeof Touchstone>;
  };
}

/** An exchange as it is searched and served. */
export interface RecordedExchange {
  /** The owner: the id of a task, or words for what belongs to no task. */
  page: string;
  method: string;
  url: string;
  /** The digest that the request's body is compared by; null when it had none. */
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

/** The content of an index. */
export interface ReadHar {
  exchanges: RecordedExchange[];
  provenance: Provenance;
  notRecorded: readonly NotRecorded[];
}

/** @throws Error naming the first thing that is wrong. */
export function readHar(text: string): ReadHar {
  const parsed = ServedHar.safeParse(JSON.parse(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  const { entries, _touchstone: touchstone } = parsed.data.log;
  const { provenance, not_recorded: notRecorded } = touchstone;
  return { exchanges: entries.map(recordedExchange), provenance, notRecorded };
}

/** The entries of an index, whole; null where they are not as a recorder of ours writes them. */
export function readWrittenEntries(text: string): HarEntry[] | null {
  const parsed = z.object({ log: z.object({ entries: z.array(HarEntry) }) }).safeParse(JSON.parse(text));
  return parsed.success ? parsed.data.log.entries : null;
}

/** The part of an entry that is searched and served. */
export function recordedExchange({
  pageref,
  request,
  response,
  _any_query: anyQuery = false,
}: ServedEntry): RecordedExchange {
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

export function headerOf(headers: readonly Header[], name: string): string | null {
  return headers.find((header) => header.name.toLowerCase() === name)?.value ?? null;
}
