import { close, fstatSync, read, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';

/** Bytes read at once: the list of files is read in many small, adjacent pieces. */
const BLOCK_BYTES = 64 * 1024;

/** Most bytes of a file's content to read at once. */
const CHUNK_BYTES = 1024 * 1024;

/** Reads a file, and keeps the last block in memory. */
class BlockReader extends RandomAccessReader {
  readonly #fd: number;
  readonly #block = Buffer.alloc(BLOCK_BYTES);
  #start = 0;
  #length = 0;

  constructor(fd: number) {
    super();
    this.#fd = fd;
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    let problem: Error | null = null;
    try {
      this.#fill(target, offset, length, position);
    } catch (error) {
      problem = error instanceof Error ? error : new Error(String(error));
    }
    setImmediate(callback, problem);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(bytesOf(this.#fd, start, end), { objectMode: false });
  }

  override close(callback: (error: Error | null) => void): void {
    close(this.#fd, callback);
  }

  #fill(target: Buffer, offset: number, length: number, position: number): void {
    if (length > BLOCK_BYTES) {
      readSync(this.#fd, target, offset, length, position);
      return;
    }
    if (position < this.#start || position + length > this.#start + this.#length) {
      this.#start = position;
      this.#length = readSync(this.#fd, this.#block, 0, BLOCK_BYTES, position);
    }
    this.#block.copy(target, offset, position - this.#start, position - this.#start + length);
  }
}

/** The bytes of a part of a file. A stream of Node's own would close the file at its end. */
async function* bytesOf(fd: number, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end;) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, end - at));
    const { bytesRead } = await promisify(read)(fd, chunk, 0, chunk.length, at);
    if (bytesRead === 0) throw new Error('the file ends early');
    at += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}

/** A zip whose files are read one at a time, on demand. */
export class ZipReader {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /**
   * Reads the list of files, and takes over the descriptor.
   * @throws Error when this is not a zip, or one with a name that leads elsewhere, a name twice, or more files than allowed.
   */
  static async open(fd: number, maxFiles: number): Promise<ZipReader> {
    const zip = await openZip(fd);
    try {
      if (zip.entryCount > maxFiles) throw new Error(`it holds ${zip.entryCount} files, more than ${maxFiles}`);
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        if (entries.has(entry.fileName)) throw new Error(`it holds ${JSON.stringify(entry.fileName)} twice`);
        entries.set(entry.fileName, entry);
      }
      return new ZipReader(zip, entries);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  get names(): Iterable<string> {
    return this.#entries.keys();
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** @throws Error when the file is missing, it is larger than this, or its bytes do not match the list. */
  async read(name: string, maxBytes: number): Promise<Buffer> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new Error(`it has no ${name}`);
    // Reading enforces the size in the list, so that a small file cannot swell beyond it.
    if (entry.uncompressedSize > maxBytes) throw new Error(`${name} has ${entry.uncompressedSize} bytes, too many`);
    return await buffer(await this.#zip.openReadStreamPromise(entry));
  }

  close(): void {
    this.#zip.close();
  }
}

async function openZip(fd: number): Promise<ZipFile> {
  const options = { autoClose: false, lazyEntries: true, strictFileNames: true };
  try {
    return await fromRandomAccessReaderPromise(new BlockReader(fd), fstatSync(fd).size, options);
  } catch (error) {
    close(fd);
    throw error;
  }
}
