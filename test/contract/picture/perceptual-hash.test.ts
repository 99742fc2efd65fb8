import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hammingDistance, perceptualHash } from '../../../src/contract/picture/perceptual-hash.ts';
import { layout, png, uniform } from './picture-sample.ts';

const FORM = layout(320, 200, [0, 0, 1, 0.15], [0.1, 0.3, 0.6, 0.4], [0.1, 0.5, 0.6, 0.6], [0.1, 0.8, 0.25, 0.9]);

function checks(dark: number, light: number): Buffer {
  return png(64, 64, (x, y) => {
    const grey = x < 20 !== y < 12 ? dark : light;
    return [grey, grey, grey];
  });
}

function halves(width: number, height: number): Buffer {
  return png(width, height, (x) => (x < width / 2 ? [0, 0, 0] : [255, 255, 255]));
}

function distance(a: Buffer, b: Buffer): number {
  return hammingDistance(perceptualHash(a), perceptualHash(b));
}

describe('the hash of a picture', () => {
  it('is 16 hexadecimal digits', () => {
    expect(perceptualHash(FORM)).toMatch(/^[0-9a-f]{16}$/);
  });

  it('has one bit for light, and one for each of 31 of 63 frequencies above the median', () => {
    const noise = png(64, 64, (x, y) => {
      const grey = (x * x * 31 + y * y * 17 + x * y * 7) % 251;
      return [grey, grey, grey];
    });
    expect(hammingDistance(perceptualHash(noise), '0000000000000000')).toBe(32);
  });

  it('is the same for the same picture', () => {
    expect(distance(FORM, Buffer.from(FORM))).toBe(0);
  });

  it('changes little for a small change', () => {
    const withNote = layout(
      320,
      200,
      [0, 0, 1, 0.15],
      [0.1, 0.3, 0.6, 0.4],
      [0.1, 0.5, 0.6, 0.6],
      [0.1, 0.8, 0.25, 0.9],
      [0.9, 0.95, 0.92, 0.97],
    );
    expect(distance(FORM, withNote)).toBeLessThanOrEqual(4);
  });

  it('changes little with the size', () => {
    const larger = layout(777, 511, [0, 0, 1, 0.15], [0.1, 0.3, 0.6, 0.4], [0.1, 0.5, 0.6, 0.6], [0.1, 0.8, 0.25, 0.9]);
    expect(distance(FORM, larger)).toBeLessThanOrEqual(8);
  });

  it('is far from that of another picture, and from that of its negative', () => {
    const list = layout(320, 200, [0, 0, 0.2, 1], [0.3, 0.1, 0.9, 0.15], [0.3, 0.45, 0.9, 0.5], [0.7, 0.6, 0.8, 0.9]);
    const negative = png(320, 200, (x, y) =>
      y < 30 || (x >= 32 && x < 192 && y >= 60 && y < 80) ? [255, 255, 255] : [0, 0, 0],
    );
    expect(distance(FORM, list)).toBeGreaterThanOrEqual(20);
    expect(distance(FORM, negative)).toBeGreaterThanOrEqual(20);
  });

  it('sees structure, not brightness or contrast', () => {
    expect(distance(checks(0, 255), checks(100, 140))).toBeLessThanOrEqual(1);
  });
});

describe('a picture of one colour', () => {
  const WHITE = uniform(255, 255, 255);

  it.each([
    ['red', uniform(255, 0, 0)],
    ['grey', uniform(128, 128, 128)],
    ['nearly black', uniform(1, 1, 1)],
    ['white of another size', uniform(255, 255, 255, 37, 91)],
  ])('has no structure, so %s is as white', (_, other) => {
    expect(perceptualHash(other)).toBe('8000000000000000');
    expect(distance(WHITE, other)).toBe(0);
  });

  it('differs for black in the one bit for light', () => {
    expect(distance(WHITE, uniform(0, 0, 0))).toBe(1);
  });

  it('is far from a page with something on it', () => {
    expect(distance(WHITE, FORM)).toBeGreaterThanOrEqual(20);
  });
});

describe('pictures of every size', () => {
  it('1 × 1 is a picture of one colour', () => {
    expect(perceptualHash(uniform(200, 10, 10, 1, 1))).toBe('8000000000000000');
  });

  it('smaller than the grid, the cells share pixels', () => {
    expect(distance(halves(2, 1), halves(64, 64))).toBe(0);
    expect(distance(halves(2, 1), uniform(9, 9, 9))).toBeGreaterThan(0);
  });

  it.each([
    [31, 33],
    [33, 31],
    [1, 100],
    [100, 1],
    [1279, 803],
  ])('%i × %i', (width, height) => {
    expect(perceptualHash(uniform(10, 20, 30, width, height))).toBe('8000000000000000');
  });
});

describe('the distance of two hashes', () => {
  it.each([
    ['0000000000000000', 'ffffffffffffffff', 64],
    ['8000000000000000', '0000000000000001', 2],
    ['00000000000000ff', '00000000000000fe', 1],
  ])('%s and %s: %i', (a, b, bits) => {
    expect(hammingDistance(a, b)).toBe(bits);
  });

  it('is a metric', () => {
    const hash = fc.bigInt(0n, 2n ** 64n - 1n).map((bits) => bits.toString(16).padStart(16, '0'));
    fc.assert(
      fc.property(hash, hash, hash, (a, b, c) => {
        expect(hammingDistance(a, b)).toBe(hammingDistance(b, a));
        expect(hammingDistance(a, b) === 0).toBe(a === b);
        expect(hammingDistance(a, c)).toBeLessThanOrEqual(hammingDistance(a, b) + hammingDistance(b, c));
      }),
    );
  });
});
