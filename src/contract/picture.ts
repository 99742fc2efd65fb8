import { PNG } from 'pngjs';

/** Most pixels that are decoded: twice those of a full-HD screen at double density. */
const MAX_PIXELS = 2 ** 24;

/** Eight-bit RGBA, row by row. */
export interface Picture {
  width: number;
  height: number;
  data: Uint8Array;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Decodes a PNG. Looks at its header first, as the file may come from a stranger's bundle: a few hundred bytes can claim
 * a picture of many gigabytes, or inflate to them. So the size is bounded, and interlaced files (whose decoding the
 * library does not bound, and which no browser writes) and files with a second header are refused.
 * @throws Error saying why the bytes are no picture that can be judged.
 */
export function decodePng(bytes: Uint8Array): Picture {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [header, ...more] = headersOf(png);
  if (header === undefined || more.length > 0) throw new Error('the picture is no PNG with one header');
  const [width, height, interlaced] = [header.readUInt32BE(0), header.readUInt32BE(4), header[12] !== 0];
  if (width * height === 0 || width * height > MAX_PIXELS) {
    throw new Error(`the picture is ${width}×${height} pixels; from 1 to ${MAX_PIXELS} can be judged`);
  }
  if (interlaced) throw new Error('the picture is interlaced, which no browser writes');
  return PNG.sync.read(png);
}

/** The data of every IHDR chunk (PNG specification, "chunk layout": length, type, data, check sum). */
function headersOf(png: Buffer): Buffer[] {
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return [];
  const headers: Buffer[] = [];
  let at = SIGNATURE.length;
  while (at + 8 <= png.length) {
    const length = png.readUInt32BE(at);
    const data = png.subarray(at + 8, at + 8 + length);
    if (png.toString('latin1', at + 4, at + 8) === 'IHDR' && data.length >= 13) headers.push(data);
    at += 12 + length;
  }
  return headers;
}
