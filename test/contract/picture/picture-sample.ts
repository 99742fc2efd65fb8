import { PNG } from 'pngjs';

type Colour = readonly [number, number, number];

export function png(width: number, height: number, colourAt: (x: number, y: number) => Colour): Buffer {
  const picture = new PNG({ width, height });
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) picture.data.set([...colourAt(x, y), 255], (y * width + x) * 4);
  }
  return PNG.sync.write(picture);
}

export function uniform(red: number, green: number, blue: number, width = 64, height = 48): Buffer {
  return png(width, height, () => [red, green, blue]);
}

/** White, with black rectangles: something like a page. */
export function layout(width: number, height: number, ...boxes: [number, number, number, number][]): Buffer {
  return png(width, height, (x, y) => {
    const inside = boxes.some(([left, top, right, bottom]) => {
      const [u, v] = [(x + 0.5) / width, (y + 0.5) / height];
      return u >= left && u < right && v >= top && v < bottom;
    });
    return inside ? [0, 0, 0] : [255, 255, 255];
  });
}

/** The same file with other bytes at one place of its header (of the data of IHDR) and the check sum put right. */
export function withHeader(file: Buffer, at: number, bytes: readonly number[]): Buffer {
  const header = Buffer.from(file.subarray(16, 29));
  header.set(bytes, at);
  return Buffer.concat([file.subarray(0, 8), chunk('IHDR', header), file.subarray(33)]);
}

/** The same file with other compressed pixels. Files made here have their pixels in one chunk after the header. */
export function withPixels(file: Buffer, change: (compressed: Buffer) => Buffer): Buffer {
  const end = 41 + file.readUInt32BE(33);
  return Buffer.concat([file.subarray(0, 33), chunk('IDAT', change(file.subarray(41, end))), file.subarray(end + 4)]);
}

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
  bytes.writeUInt32BE(data.length, 0);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
  return bytes;
}

/** CRC-32 as PNG has it (PNG specification, annex D). */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
