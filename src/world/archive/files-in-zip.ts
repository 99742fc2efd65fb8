import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/**
 * Read a zip in memory, a file after the other.
 * @throws Error when it is none, or holds more than so many bytes.
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
