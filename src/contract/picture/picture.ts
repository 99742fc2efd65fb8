import { inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

/** Most pixels that are decoded: twice those of a full-HD screen at double density. */
const MAX_PIXELS = 2 ** 24;

/** Eight-bit RGBA, row by row. */
export interface Picture {
  width: number;
  height: number;
  data: Uint8Array;
}

interface Chunk {
  type: string;
  data: Buffer;
}

/**
 * Decodes a PNG. The file may come from a stranger's bundle, so it is looked at before the library decodes it:
 * a few hundred bytes can claim a picture of many gigabytes or inflate to them, and the library takes memory that
 * nobody wrote for pixels that are missing, which no two machines would judge alike. Interlaced files, which no browser
 * writes, are refused.
 * @throws Error saying why the bytes are no picture that can be judged.
 */
export function decodePng(bytes: Uint8Array): Picture {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks = chunksOf(png);
  const [header, ...more] = dataOf(chunks, 'IHDR');
  if (header?.length !== 13 || more.length > 0) throw new Error('the picture is no PNG with one header');
  const pixels = inflatedLength(header);
  if (inflateSync(Buffer.concat(dataOf(chunks, 'IDAT')), { maxOutputLength: pixels }).length !== pixels) {
    throw new Error('the picture is not whole');
  }
  return PNG.sync.read(png);
}

/** Channels of each colour type (PNG specification, IHDR). */
const CHANNELS = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

/** Return the size of the pixels in bytes before compression: each row and one byte that names its filter. */
function inflatedLength(header: Buffer): number {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (width * height === 0 || width * height > MAX_PIXELS) {
    throw new Error(`the picture is ${width}×${height} pixels; from 1 to ${MAX_PIXELS} can be judged`);
  }
  const [depth = 0, colour = 0, , , interlace] = header.subarray(8);
  if (interlace !== 0) throw new Error('the picture is interlaced, which no browser writes');
  return (Math.ceil((width * depth * (CHANNELS.get(colour) ?? 0)) / 8) + 1) * height;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The chunks of the file (PNG specification, "chunk layout": length, type, data, check sum); none when it is no PNG. */
function chunksOf(png: Buffer): Chunk[] {
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return [];
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at + 8 <= png.length;) {
    const end = at + 8 + png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

function dataOf(chunks: readonly Chunk[], type: string): Buffer[] {
  return chunks.filter((chunk) => chunk.type === type).map(({ data }) => data);
}
