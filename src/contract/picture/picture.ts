import { inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

/** Twice the pixels of a full-HD screen at double density. */
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
 * Decodes a PNG of a bundle that we may not trust. It is checked before the library decodes it: a few hundred bytes can claim
 * or inflate to gigabytes, and for missing pixels the library takes uninitialised memory, which no two machines would judge the
 * same. Interlaced files, which no browser writes, are refused.
 * @throws Error if the picture cannot be judged.
 */
export function decodePng(bytes: Uint8Array): Picture {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks = chunksOf(png);
  const [header, ...more] = dataOf(chunks, 'IHDR');
  if (header?.length !== 13 || more.length > 0) throw new Error('the picture is not a PNG with one header');
  const pixels = inflatedLength(header);
  if (inflateSync(Buffer.concat(dataOf(chunks, 'IDAT')), { maxOutputLength: pixels }).length !== pixels) {
    throw new Error('the picture is not whole');
  }
  return PNG.sync.read(png);
}

/** By colour type (PNG specification, IHDR). */
const CHANNELS = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

/** Bytes of the pixels before compression: each row, and a byte for its filter. */
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

/** The chunks of a PNG ("chunk layout": length, type, data, check sum); none if it is not one. */
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
