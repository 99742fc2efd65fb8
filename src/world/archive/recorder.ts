import { within } from '../../process/deadline.ts';
import { messageOf } from '../../contract/message-of.ts';
import { OutsideError } from '../answer.ts';
import { type LiveReply, type LiveWeb, unanswered } from '../live/live-web.ts';
import { MAX_BODY_BYTES } from './archive.ts';
import type { HarEntry, Header, NotRecorded } from './har.ts';
import { harEntry, type StoredBody, type BodyStore } from './write-archive.ts';
import { bodyDigest } from './matcher.ts';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** The encodings that a recorder may ask for: those that it can undo. */
const KNOWN_ENCODINGS = 'gzip, deflate, br';

const DECODERS: Readonly<Record<string, (bytes: Buffer, options: zlib.ZlibOptions) => Promise<Buffer>>> = {
  gzip: promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  'x-gzip': promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  br: promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress),
  deflate: inflateEither,
};

/**
 * Undoes the `content-encoding` of a body.
 * @throws Error if it is unknown or broken, or the body is longer than this when decoded.
 */
async function decodeBody(bytes: Buffer, encoding: string | null, maxBytes: number): Promise<Buffer> {
  let decoded = bytes;
  if (bytes.length === 0) return decoded;
  const applied = (encoding ?? '').split(',').map((each) => each.trim().toLowerCase());
  for (const each of applied.toReversed()) {
    if (each === '' || each === 'identity') continue;
    const decode = DECODERS[each];
    if (decode === undefined) throw new Error(`its encoding ${JSON.stringify(each)} is not known`);
    decoded = await decode(decoded, { maxOutputLength: maxBytes });
  }
  return decoded;
}

/** Some servers send "deflate" with the wrapper of zlib, as in RFC 9110, and some without. */
async function inflateEither(bytes: Buffer, options: zlib.ZlibOptions): Promise<Buffer> {
  const hasWrapper = ((bytes[0] ?? 0) & 0x0f) === 8;
  const inflate = hasWrapper ? zlib.inflate : zlib.inflateRaw;
  return await promisify<Buffer, zlib.ZlibOptions, Buffer>(inflate)(bytes, options);
}

/**
 * Headers that a recorder removes from requests: with them a server may send a part, or nothing because the browser
 * has it already, and an archive needs the whole.
 */
const NOT_ASKED = ['range', 'if-range', 'if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since'];

/** Headers with credentials. Requests are distinguished without them, so they are never stored. */
const NOT_STORED = new Set(['authorization', 'cookie', 'proxy-authorization']);

export interface ArchiveRecorderOptions {
  web: LiveWeb;
  bodies: BodyStore;
  /** Takes secrets out of a text; everything that is stored has been through it. */
  redact: (text: string) => string;
  maxBodyBytes?: number;
}

/** Passes requests on to the web, and keeps every exchange. */
export class Recorder {
  readonly #options: ArchiveRecorderOptions;
  readonly #maxBodyBytes: number;
  readonly #entries: { seq: number; entry: HarEntry }[] = [];
  readonly #notRecorded: NotRecorded[] = [];
  readonly #running = new Map<Request, Promise<void>>();
  #asked = 0;
  #isOver = false;

  constructor(options: ArchiveRecorderOptions) {
    this.#options = options;
    this.#maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
  }

  /**
   * Gets the web's answer, and keeps the exchange, even if the browser goes away meanwhile.
   * @param page the owner of the exchange: the id of a task, or a word for no task
   */
  async answer(page: string, request: Request): Promise<Response> {
    const begun = { page, seq: this.#asked, startedAt: new Date(), from: performance.now() };
    this.#asked += 1;
    const body = Buffer.from(await request.arrayBuffer());
    let reply: LiveReply;
    try {
      reply = await this.#options.web.ask(wholeRequest(request, body));
    } catch (error) {
      if (error instanceof OutsideError) throw error;
      this.#omit(request, messageOf(error));
      return unanswered(request, error);
    }
    const { response } = reply;
    const [shown, kept] = response.body === null ? [null, null] : response.body.tee();
    const keeping = this.#keep(begun, request, body, reply, kept)
      .catch((error: unknown) => {
        this.#omit(request, messageOf(error));
      })
      .finally(() => this.#running.delete(request));
    this.#running.set(request, keeping);
    return new Response(shown, { status: response.status, headers: response.headers });
  }

  /**
   * Ends the recording once all answered exchanges are kept, except those that do not end in this time, in ms.
   * @returns the exchanges that are whole, in the order in which they began
   */
  async finish(timeoutMs: number): Promise<{ entries: HarEntry[]; notRecorded: readonly NotRecorded[] }> {
    await within(timeoutMs, () => Promise.all(this.#running.values()));
    for (const request of this.#running.keys()) this.#omit(request, 'it had not ended');
    this.#isOver = true;
    const entries = this.#entries.toSorted((a, b) => a.seq - b.seq).map(({ entry }) => entry);
    return { entries, notRecorded: this.#notRecorded };
  }

  async #keep(
    { page, seq, startedAt, from }: { page: string; seq: number; startedAt: Date; from: number },
    request: Request,
    requestBody: Buffer,
    { response, statusText, address }: LiveReply,
    stream: ReadableStream<Uint8Array> | null,
  ): Promise<void> {
    const encoded = stream === null ? Buffer.alloc(0) : await this.#read(stream);
    const decoded = await decodeBody(encoded, response.headers.get('content-encoding'), this.#maxBodyBytes);
    const sent = this.#redacted(requestBody);
    const contentType = request.headers.get('content-type');
    const entry = harEntry({
      page,
      startedAt,
      time: Math.round(performance.now() - from),
      request: {
        method: request.method,
        url: this.#options.redact(request.url),
        headers: this.#headers([...request.headers].filter(([name]) => !NOT_STORED.has(name))),
        body: await this.#store(sent, contentType, bodyDigest(sent, contentType)),
      },
      response: {
        status: response.status,
        statusText: this.#options.redact(statusText),
        headers: this.#headers([...response.headers]),
        body: await this.#store(this.#redacted(decoded), response.headers.get('content-type'), null),
      },
      address,
    });
    if (!this.#isOver) this.#entries.push({ seq, entry });
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of stream) {
      size += chunk.byteLength;
      if (size > this.#maxBodyBytes) throw new Error(`its body has more than ${this.#maxBodyBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  async #store(bytes: Buffer, type: string | null, digest: string | null): Promise<StoredBody | null> {
    if (bytes.length === 0) return null;
    const name = await this.#options.bodies.put(bytes);
    return { name, size: bytes.length, type: type ?? 'application/octet-stream', digest };
  }

  #headers(headers: readonly [string, string][]): Header[] {
    return headers.map(([name, value]) => ({ name, value: this.#options.redact(value) }));
  }

  /** Binary bytes stay unchanged: each is one character of this encoding, and back. */
  #redacted(bytes: Buffer): Buffer {
    const text = bytes.toString('latin1');
    const redacted = this.#options.redact(text);
    return redacted === text ? bytes : Buffer.from(redacted, 'latin1');
  }

  #omit({ method, url }: Request, why: string): void {
    if (this.#isOver) return;
    this.#notRecorded.push({ method, url: this.#options.redact(url), why: this.#options.redact(why) });
  }
}

/** The request as passed on: for the whole resource, in an encoding that can be undone. */
function wholeRequest(request: Request, body: Buffer): Request {
  const headers = new Headers(request.headers);
  for (const name of NOT_ASKED) headers.delete(name);
  if (headers.has('accept-encoding')) headers.set('accept-encoding', KNOWN_ENCODINGS);
  const { method, url } = request;
  return new Request(url, { method, headers, ...(body.length === 0 ? {} : { body: new Uint8Array(body) }) });
}
