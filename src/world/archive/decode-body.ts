import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** The encodings that a recorder may ask for: those that it can undo. */
export const KNOWN_ENCODINGS = 'gzip, deflate, br';

const DECODERS: Readonly<Record<string, (bytes: Buffer, options: zlib.ZlibOptions) => Promise<Buffer>>> = {
  gzip: promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  'x-gzip': promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  br: promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress),
  deflate: inflateEither,
};

/**
 * Undoes the `content-encoding` of a body.
 * @throws Error when it is of a kind that is not known, broken, or longer than this when decoded.
 */
export async function decodeBody(bytes: Buffer, encoding: string | null, maxBytes: number): Promise<Buffer> {
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

/** Some servers send "deflate" with the wrapper of zlib, as RFC 9110 has it, and some without. */
async function inflateEither(bytes: Buffer, options: zlib.ZlibOptions): Promise<Buffer> {
  const hasWrapper = ((bytes[0] ?? 0) & 0x0f) === 8;
  const inflate = hasWrapper ? zlib.inflate : zlib.inflateRaw;
  return await promisify<Buffer, zlib.ZlibOptions, Buffer>(inflate)(bytes, options);
}
