import { closeSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';

/** A zip whose files are read one at a time, each only when it is asked for. */
export class ZipReader {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /**
   * Reads the list of files. The descriptor is the reader's from now on.
   * @throws Error when this is no zip, or one with a name that leads elsewhere, a name twice, or more files than allowed.
   */
  static async open(fd: number, maxFiles: number): Promise<ZipReader> {
    let zip: ZipFile;
    try {
      zip = await fromFdPromise(fd, { autoClose: false, lazyEntries: true, strictFileNames: true });
    } catch (error) {
      closeSync(fd);
      throw error;
    }
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

  /** @throws Error when there is no such file, it is larger than this, or its bytes are not what the list says of them. */
  async read(name: string, maxBytes: number): Promise<Buffer> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new Error(`it has no ${name}`);
    // What the list says of the size is held to while reading, so that a small file cannot swell beyond it.
    if (entry.uncompressedSize > maxBytes) throw new Error(`${name} has ${entry.uncompressedSize} bytes, too many`);
    return await buffer(await this.#zip.openReadStreamPromise(entry));
  }

  close(): void {
    this.#zip.close();
  }
}
