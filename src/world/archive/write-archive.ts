import path from 'node:path';
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Har, HarEntry, Header } from './har.ts';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** Bodies on their way into an archive, each once, in their own folder. */
export class BodyStore implements AsyncDisposable {
  readonly #folder: string;
  readonly #names = new Set<string>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(): Promise<BodyStore> {
    return new BodyStore(await mkdtemp(path.join(tmpdir(), 'touchstone-bodies-')));
  }

  /** Keeps a body, and gives its name in the archive: `bodies/<sha256>`. */
  async put(bytes: Uint8Array): Promise<string> {
    const hash = createHash('sha256').update(bytes).digest('hex');
    const name = `bodies/${hash}`;
    if (this.#names.has(name)) return name;
    this.#names.add(name);
    await writeFile(path.join(this.#folder, hash), bytes);
    return name;
  }

  /** Where each body lies, by its name, in the order of the names. */
  files(): [name: string, file: string][] {
    return [...this.#names].toSorted().map((name) => [name, path.join(this.#folder, path.basename(name))]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/**
 * Every file in the zip is of the same age and mode, and nothing is compressed: the same exchanges give the same bytes,
 * on any machine and with any zlib.
 */
const SAME_FOR_ALL = {
  mtime: new Date('1980-01-01T00:00:00Z'),
  mode: 0o100644,
  compress: false,
  forceDosTimestamp: true,
};

/** Writes an archive so that every reader, also after a kill at any moment, finds the old file or the new one whole. */
export async function writeArchive(file: string, har: Har, bodies: BodyStore): Promise<void> {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.tmp`);
  await mkdir(path.dirname(file), { recursive: true });
  const zip = new ZipFile();
  const broken = new AbortController();
  zip.on('error', (error) => {
    broken.abort(error);
  });
  zip.addBuffer(Buffer.from(JSON.stringify(har)), `${path.basename(file, path.extname(file))}.har`, SAME_FOR_ALL);
  const needed = new Set(har.log.entries.flatMap(bodiesOf));
  for (const [name, place] of bodies.files()) if (needed.has(name)) zip.addFile(place, name, SAME_FOR_ALL);
  zip.end();
  try {
    await pipeline(zip.outputStream, createWriteStream(temporary, { flags: 'wx' }), { signal: broken.signal });
    const written = await open(temporary, 'r+');
    await written.sync();
    await written.close();
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw broken.signal.aborted ? broken.signal.reason : error;
  }
}

/** The names of the bodies of an exchange: the request's and the reply's. */
export function bodiesOf({ request, response }: HarEntry): string[] {
  const [{ _file: sent } = {}, { _file: answered }] = [request.postData, response.content];
  return [sent, answered].flatMap((name) => name ?? []);
}

/** One exchange, whole and with its bodies decoded. */
interface HttpExchange {
  /** The owner: the id of a task, or a word for what belongs to no task. */
  page: string;
  startedAt: Date;
  /** In ms. */
  time: number;
  request: { method: string; url: string; headers: Header[]; body: StoredBody | null };
  response: { status: number; statusText: string; headers: Header[]; body: StoredBody | null };
  /** The address that answered; null if it is not known, or none did. */
  address: string | null;
}

export interface StoredBody {
  name: string;
  size: number;
  type: string;
  /** The digest that requests are compared by, see `bodyDigest`; null in a response. */
  digest: string | null;
}

const HTTP_VERSION = 'HTTP/1.1';
/** HAR's value for a size or a time that is not known. */
const UNKNOWN = -1;

export function harEntry({ page, startedAt, time, request, response, address }: HttpExchange): HarEntry {
  const { method, url, body } = request;
  const location = response.headers.find(({ name }) => name.toLowerCase() === 'location');
  return {
    pageref: page,
    startedDateTime: startedAt.toISOString(),
    time,
    request: {
      method,
      url,
      httpVersion: HTTP_VERSION,
      cookies: [],
      headers: request.headers,
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      headersSize: UNKNOWN,
      bodySize: body?.size ?? 0,
      ...(body === null || body.digest === null
        ? {}
        : { postData: { mimeType: body.type, params: [], text: '', _file: body.name, _digest: body.digest } }),
    },
    response: {
      status: response.status,
      statusText: response.statusText,
      httpVersion: HTTP_VERSION,
      cookies: [],
      headers: response.headers,
      content: {
        size: response.body?.size ?? 0,
        mimeType: response.body?.type ?? 'application/octet-stream',
        ...(response.body === null ? {} : { _file: response.body.name }),
      },
      redirectURL: location?.value ?? '',
      headersSize: UNKNOWN,
      bodySize: UNKNOWN,
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    ...(address === null ? {} : { serverIPAddress: address }),
  };
}

/**
 * Read a zip in memory, a file after the other.
 * @throws Error when it is not a file, or has more bytes than that.
 */
export async function* filesInZip(bytes: Buffer, maxBytes: number): AsyncGenerator<Buffer> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true });
  let size = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      size += entry.uncompressedSize;
      if (size > maxBytes) throw new Error(`it holds more than ${maxBytes} bytes`);
      yield await buffer(await zip.openReadStreamPromise(entry));
    }
  } finally {
    zip.close();
  }
}
