import { decodePng, type Picture } from './picture.ts';

const SIDE = 32;
const LOW = 8;

/**
 * A 64-bit perceptual hash of a PNG, as 16 hexadecimal digits: grey values averaged to 32×32, their discrete cosine transform
 * (DCT-II), and for its 8×8 lowest frequencies one bit each: above their median or not. The constant term is left out of the
 * median, as in Zauner, "Implementation and Benchmarking of Perceptual Image Hash Functions" (2010).
 * It sees structure, not colour: pictures of one colour share a hash, except that black differs in one bit.
 * @throws Error when the bytes are not a PNG of a sane size.
 */
export function perceptualHash(png: Uint8Array): string {
  const low = lowFrequencies(greyGrid(decodePng(png)));
  const sorted = low.slice(1).toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const bits = low.map((value) => (value > median ? '1' : '0')).join('');
  return BigInt(`0b${bits}`).toString(16).padStart(16, '0');
}

export function hammingDistance(a: string, b: string): number {
  const differing = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
  return differing.toString(2).replaceAll('0', '').length;
}

/** Mean luma (ITU-R BT.601) of each cell of a 32×32 grid; a cell has at least one pixel. */
function greyGrid(picture: Picture): number[] {
  const columns = spans(picture.width);
  return spans(picture.height).flatMap((rows) => columns.map((column) => meanLuma(picture, rows, column)));
}

interface Span {
  from: number;
  to: number;
}

function spans(length: number): Span[] {
  return range(SIDE).map((cell) => {
    const from = Math.floor((cell * length) / SIDE);
    return { from, to: Math.max(from + 1, Math.floor(((cell + 1) * length) / SIDE)) };
  });
}

function meanLuma({ width, data }: Picture, rows: Span, columns: Span): number {
  let sum = 0;
  for (let y = rows.from; y < rows.to; y += 1) {
    for (let x = columns.from; x < columns.to; x += 1) {
      const pixel = (y * width + x) * 4;
      // In thousandths, so that the sum is exact.
      sum += 299 * (data[pixel] ?? 0) + 587 * (data[pixel + 1] ?? 0) + 114 * (data[pixel + 2] ?? 0);
    }
  }
  return sum / ((rows.to - rows.from) * (columns.to - columns.from) * 1000);
}

function lowFrequencies(grey: readonly number[]): number[] {
  const rows = range(SIDE).map((y) =>
    range(LOW).map((u) => range(SIDE).reduce((sum, x) => sum + (grey[y * SIDE + x] ?? 0) * cosine(u, x), 0)),
  );
  const amplitude = (u: number, v: number): number =>
    range(SIDE).reduce((sum, y) => sum + (rows[y]?.[u] ?? 0) * cosine(v, y), 0);
  // Rounded, so that an error in the last place, which machines may differ in, never becomes a bit.
  return range(LOW).flatMap((v) => range(LOW).map((u) => Math.round(1e6 * amplitude(u, v))));
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

function cosine(frequency: number, place: number): number {
  return Math.cos(((2 * place + 1) * frequency * Math.PI) / (2 * SIDE));
}
