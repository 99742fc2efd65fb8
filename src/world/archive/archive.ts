import { createHash } from 'node:crypto';
import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs';
import { messageOf } from '../../contract/message-of.ts';
import { fact } from '../../messages/messages.ts';
import { WorldError } from '../error.ts';
import {
  type HarEntry,
  type NotRecorded,
  type Provenance,
  readHar,
  type ReadHar,
  readWrittenEntries,
  type RecordedExchange,
} from './har.ts';
import { ZipReader } from './zip-reader.ts';

/** Largest body of one exchange, in bytes, decoded. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Largest index, in bytes, and most files of an archive. */
const MAX_HAR_BYTES = 256 * 1024 * 1024;
const MAX_FILES = 1_000_000;

/** Most bytes of bodies that stay in memory once they were read: those that were served last. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

const INDEX_NAME = /^[^/]+\.har$/;
const BODY_NAME = /^bodies\/([0-9a-f]{64})$/;

/**
 * A piece of the web in one zip: a HAR index, and bodies named after their hashes. The index is in memory; each body is
 * read, and held against its name, when it is served, and some are kept.
 */
export class Archive {
  readonly file: string;
  /** SHA-256 of the file, hex. */
  readonly hash: string;
  readonly exchanges: readonly RecordedExchange[];
  readonly provenance: Provenance;
  readonly notRecorded: readonly NotRecorded[];
  readonly #zip: ZipReader;
  readonly #kept = new Map<string, Buffer>();
  #keptBytes = 0;

  private constructor(file: string, hash: string, { exchanges, provenance, notRecorded }: ReadHar, zip: ZipReader) {
    this.file = file;
    this.hash = hash;
    this.exchanges = exchanges;
    this.provenance = provenance;
    this.notRecorded = notRecorded;
    this.#zip = zip;
  }

  /** @throws WorldError when the file is missing or is not a valid archive. */
  static async open(file: string): Promise<Archive> {
    const fd = openFile(file);
    try {
      const hash = await hashOf(fd);
      const zip = await ZipReader.open(fd, MAX_FILES);
      try {
        return new Archive(file, hash, await readIndex(zip), zip);
      } catch (error) {
        zip.close();
        throw error;
      }
    } catch (error) {
      throw broken(file, messageOf(error), error);
    }
  }

  /** @throws WorldError when the bytes do not match the name. */
  async body({ body: name }: RecordedExchange): Promise<Buffer> {
    return name === null ? Buffer.alloc(0) : await this.bodyNamed(name);
  }

  /** Like {@link body}, by name: also the body of a request. */
  async bodyNamed(name: string): Promise<Buffer> {
    const bytes = this.#kept.get(name) ?? (await this.#read(name));
    this.#keep(name, bytes);
    return bytes;
  }

  /** The exchanges as they were written, whole; null where no recorder of ours has written them. */
  async writtenEntries(): Promise<HarEntry[] | null> {
    return readWrittenEntries((await readIndexFile(this.#zip)).text);
  }

  async #read(name: string): Promise<Buffer> {
    let bytes: Buffer;
    try {
      bytes = await this.#zip.read(name, MAX_BODY_BYTES);
    } catch (error) {
      throw broken(this.file, messageOf(error), error);
    }
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (name === `bodies/${hash}`) return bytes;
    throw broken(this.file, `${name} does not match the hash in its name (${hash})`);
  }

  /** Keeps a body as the one that was served last, and lets go of those that were not for the longest time. */
  #keep(name: string, bytes: Buffer): void {
    if (this.#kept.delete(name)) this.#keptBytes -= bytes.length;
    this.#kept.set(name, bytes);
    this.#keptBytes += bytes.length;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#keptBytes <= MAX_KEPT_BYTES) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= length;
    }
  }

  /** @throws WorldError when any body does not match its name. */
  async check(): Promise<void> {
    const one = new Map(this.exchanges.map((exchange) => [exchange.body, exchange]));
    for (const exchange of one.values()) await this.body(exchange);
  }

  close(): void {
    this.#zip.close();
  }
}

function openFile(file: string): number {
  try {
    const fd = openSync(file, 'r');
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
  } catch (error) {
    throw new WorldError(fact('archive_missing', { file, why: messageOf(error) }), error);
  }
  throw broken(file, 'it is not a file');
}

async function hashOf(fd: number): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream('', { fd, autoClose: false, start: 0 })) hash.update(chunk);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return hash.digest('hex');
}

/** The index, once every file is known to be a part of the archive, and every body that it names to be there. */
async function readIndex(zip: ZipReader): Promise<ReadHar> {
  const strange = [...zip.names].find((name) => !INDEX_NAME.test(name) && !BODY_NAME.test(name));
  if (strange !== undefined)
    throw new Error(`it contains ${JSON.stringify(strange)}, which does not belong in an archive`);
  const { name: index, text } = await readIndexFile(zip);
  const har = readIndexText(index, text);
  const bodiless = har.exchanges.find(({ body }) => body !== null && !zip.has(body));
  if (bodiless === undefined) return har;
  const { body, method, url } = bodiless;
  throw new Error(`${String(body)}, the body of ${method} ${url}, is not in it`);
}

async function readIndexFile(zip: ZipReader): Promise<{ name: string; text: string }> {
  const indexes = [...zip.names].filter((name) => INDEX_NAME.test(name));
  const [name] = indexes;
  if (name === undefined || indexes.length > 1) throw new Error(`it holds ${indexes.length} indexes (*.har), not one`);
  return { name, text: (await zip.read(name, MAX_HAR_BYTES)).toString('utf8') };
}

function readIndexText(index: string, text: string): ReadHar {
  try {
    return readHar(text);
  } catch (error) {
    throw new Error(`${index} is not the index of an archive: ${messageOf(error)}`, { cause: error });
  }
}

function broken(file: string, why: string, cause?: unknown): WorldError {
  return new WorldError(fact('archive_broken', { file, why }), cause);
}
