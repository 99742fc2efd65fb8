import { PNG } from 'pngjs';

const SIDE = 32;
const LOW = 8;

/**
 * A 64-bit perceptual hash of a PNG, as 16 hexadecimal digits: grey values averaged to 32×32, their discrete cosine
 * transform (DCT-II), and of its 8×8 lowest frequencies one bit each: above their median or not. The constant term is
 * left out of the median, as in Zauner, "Implementation and Benchmarking of Perceptual Image Hash Functions" (2010).
 * @throws Error when the bytes are no PNG.
 */
export function perceptualHash(png: Uint8Array): string {
  const low = lowFrequencies(greyGrid(PNG.sync.read(Buffer.from(png))));
  const sorted = low.slice(1).toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const bits = low.map((value) => (value > median ? '1' : '0')).join('');
  return BigInt(`0b${bits}`).toString(16).padStart(16, '0');
}

/** In how many of their 64 bits two hashes differ. */
export function hammingDistance(a: string, b: string): number {
  const differing = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
  return [...differing.toString(2)].filter((bit) => bit === '1').length;
}

/** Mean luma (ITU-R BT.601) of each cell of a 32×32 grid laid over the picture. */
function greyGrid({ width, height, data }: { width: number; height: number; data: Uint8Array }): number[] {
  const sums = new Float64Array(SIDE * SIDE);
  const counts = new Uint32Array(SIDE * SIDE);
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor((y * SIDE) / height) * SIDE;
    for (let x = 0; x < width; x += 1) {
      const cell = row + Math.floor((x * SIDE) / width);
      const pixel = (y * width + x) * 4;
      const luma = 0.299 * (data[pixel] ?? 0) + 0.587 * (data[pixel + 1] ?? 0) + 0.114 * (data[pixel + 2] ?? 0);
      sums[cell] = (sums[cell] ?? 0) + luma;
      counts[cell] = (counts[cell] ?? 0) + 1;
    }
  }
  return Array.from(sums, (sum, cell) => sum / Math.max(1, counts[cell] ?? 1));
}

function lowFrequencies(grey: readonly number[]): number[] {
  const cosine = (frequency: number, place: number): number => Math.cos(((2 * place + 1) * frequency * Math.PI) / (2 * SIDE));
  const range = (length: number): number[] => Array.from({ length }, (_, index) => index);
  const rows = range(SIDE).map((y) =>
    range(LOW).map((u) => range(SIDE).reduce((sum, x) => sum + (grey[y * SIDE + x] ?? 0) * cosine(u, x), 0)),
  );
  return range(LOW).flatMap((v) =>
    range(LOW).map((u) => range(SIDE).reduce((sum, y) => sum + (rows[y]?.[u] ?? 0) * cosine(v, y), 0)),
  );
}
