import { missing } from '../../contract/evidence.ts';
import { fact } from '../../messages/messages.ts';
import { WorldError } from '../error.ts';
import type { TlsIdentity } from '../tls-identity.ts';
import { openWorldProxy, type WorldHere } from '../world-proxy.ts';
import { Archive } from './archive.ts';
import { ArchiveIndex, Replay, bodyDigest } from './matcher.ts';
import { WITHOUT_BODY } from '../backend.ts';
import { type Header, headerOf, type RecordedExchange } from './har.ts';

/** An archive that a suite names, and how requests are matched with it. */
export interface ArchiveChoice {
  file: string;
  /** SHA-256 of the file, hex. */
  hash: string;
  /** Names of query parameters that do not count. */
  ignoreQuery: readonly string[];
}

export interface OpenArchive {
  archive: Archive;
  index: ArchiveIndex;
}

interface ArchiveWorldOptions extends OpenArchive {
  /** The name of the task that the episode is on. */
  task: string;
  identity: TlsIdentity;
  /** Whether the log keeps headers and the bodies of responses. */
  whole?: boolean;
  onChange?: () => void;
}

export const NO_STATE = missing('an archive has no app that keeps a state');

/** The caller closes it. @throws WorldError when the file is missing or has changed. */
export async function openArchive({ file, hash, ignoreQuery }: ArchiveChoice): Promise<OpenArchive> {
  const archive = await Archive.open(file);
  if (archive.hash === hash) return { archive, index: new ArchiveIndex(archive.exchanges, ignoreQuery) };
  archive.close();
  throw new WorldError(fact('archive_broken', { file, why: 'it has changed since it was pinned' }));
}

/**
 * The web as recorded: every address is answered from the archive, or with a 504 that names the missing
 * request. Nothing leaves the machine.
 */
export async function startArchiveWorld({
  archive,
  index,
  task,
  identity,
  whole = false,
  onChange = () => {},
}: ArchiveWorldOptions): Promise<WorldHere> {
  const replay = new Replay(index, task);
  let misses = 0;
  const miss = (): void => {
    misses += 1;
    onChange();
  };
  const answer = async (request: Request): Promise<Response> => {
    const { method, url, headers } = request;
    const body = new Uint8Array(await request.arrayBuffer());
    const exchange = replay.next({ method, url, digest: bodyDigest(body, headers.get('content-type')) });
    if (exchange !== null) {
      try {
        return recordedResponse(request, exchange, await archive.body(exchange));
      } catch (error) {
        miss();
        throw error;
      }
    }
    miss();
    return new Response(`not in the archive: ${method} ${url}`, { status: 504 });
  };
  const way = await openWorldProxy({ handlerOf: () => answer, webSocketsOf: () => null, identity, whole, onChange });
  return {
    ...way,
    state: () => Promise.resolve(NO_STATE),
    offArchive: () => misses,
  };
}

/**
 * Headers that are not sent again. Bodies are stored decoded, so how they were encoded and how long that was no longer
 * holds; and reports to a site's operator are asked for by the browser itself, so no archive can have them.
 */
const DROPPED = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'content-encoding',
  'content-length',
  'nel',
  'report-to',
  'reporting-endpoints',
]);

/** The recorded response, as an answer to this request: of a body that was recorded whole, a part when a part is asked for. */
function recordedResponse(request: Request, recorded: RecordedExchange, body: Buffer): Response {
  const headers = new Headers();
  for (const { name, value } of recorded.headers) if (!DROPPED.has(name.toLowerCase())) headers.append(name, value);
  const { status } = recorded;
  if (WITHOUT_BODY.has(status)) return new Response(null, { status, headers });
  const range = request.method === 'GET' && status === 200 ? rangeAskedFor(request, recorded.headers) : null;
  if (range === null) return withBody(status, headers, body);
  const [from, to] = boundsOf(range, body.length);
  if (from > to) {
    headers.set('content-range', `bytes */${body.length}`);
    return withBody(416, headers, Buffer.alloc(0));
  }
  headers.set('content-range', `bytes ${from}-${to}/${body.length}`);
  return withBody(206, headers, body.subarray(from, to + 1));
}

function withBody(status: number, headers: Headers, body: Buffer): Response {
  headers.set('content-length', String(body.length));
  // Responses share the bytes that the archive keeps: one that is never read takes no memory of its own.
  const shared = new ReadableStream<Uint8Array>(
    {
      pull: (stream) => {
        if (body.length > 0) stream.enqueue(body);
        stream.close();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(shared, { status, headers });
}

interface Range {
  first: number | null;
  last: number | null;
}

/** The one range that is asked for (RFC 9110, 14.2). Several at once, or one of another version, are answered whole. */
function rangeAskedFor({ headers }: Request, recorded: readonly Header[]): Range | null {
  const found = /^bytes=(\d*)-(\d*)$/.exec(headers.get('range')?.replaceAll(' ', '') ?? '');
  if (found === null || found[0] === 'bytes=-') return null;
  const version = headers.get('if-range');
  if (version !== null && version !== headerOf(recorded, 'etag') && version !== headerOf(recorded, 'last-modified')) {
    return null;
  }
  const [first = null, last = null] = [found[1], found[2]].map((digits) => (digits ? Number(digits) : null));
  return first !== null && last !== null && last < first ? null : { first, last };
}

/** First and last byte, both included; the first is after the last if the part is empty. */
function boundsOf({ first, last }: Range, length: number): [from: number, to: number] {
  if (first === null) return [Math.max(0, length - (last ?? 0)), length - 1];
  return [first, Math.min(last ?? length - 1, length - 1)];
}
