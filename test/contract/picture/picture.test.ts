import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodePng } from '../../../src/contract/picture/picture.ts';
import { png, uniform, withHeader, withPixels } from './picture-sample.ts';

const SMALL = png(5, 3, (x, y) => [x * 10, y * 10, 7]);

function uint32(value: number): number[] {
  return [...Buffer.from(Uint32Array.of(value).buffer).swap32()];
}

it('decodes what it encoded', () => {
  const { width, height, data } = decodePng(SMALL);
  expect([width, height]).toEqual([5, 3]);
  expect([...data.subarray((2 * 5 + 4) * 4, (2 * 5 + 5) * 4)]).toEqual([40, 20, 7, 255]);
});

it('reads a view into a larger buffer', () => {
  const larger = Buffer.concat([Buffer.alloc(7), SMALL, Buffer.alloc(7)]);
  expect(decodePng(larger.subarray(7, 7 + SMALL.length)).width).toBe(5);
});

describe('a picture that declares too much is refused before it is decoded', () => {
  it('60000 × 60000 pixels', () => {
    const bomb = withHeader(SMALL, 0, [...uint32(60_000), ...uint32(60_000)]);
    expect(() => decodePng(bomb)).toThrow('the picture is 60000×60000 pixels; from 1 to 16777216 can be judged');
  });

  it.each([
    [2 ** 32 - 1, 2 ** 32 - 1],
    [2 ** 24 + 1, 1],
    [0, 5],
    [5, 0],
  ])('%i × %i pixels', (width, height) => {
    expect(() => decodePng(withHeader(SMALL, 0, [...uint32(width), ...uint32(height)]))).toThrow(
      `the picture is ${width}×${height} pixels`,
    );
  });

  it('a second header cannot raise the size after the first was looked at', () => {
    const bomb = withHeader(SMALL, 0, [...uint32(60_000), ...uint32(60_000)]);
    const [first, second] = [SMALL.subarray(0, 33), bomb.subarray(8, 33)];
    expect(() => decodePng(Buffer.concat([first, second, SMALL.subarray(33)]))).toThrow('not a PNG with one header');
  });

  it('an interlaced picture, whose data the library inflates without a bound', () => {
    expect(() => decodePng(withHeader(SMALL, 12, [1]))).toThrow('the picture is interlaced, which no browser writes');
  });
});

describe('invalid pictures are refused', () => {
  it.each([
    ['nothing', Buffer.alloc(0), 'not a PNG with one header'],
    ['text', Buffer.from('not a picture'), 'not a PNG with one header'],
    ['the signature alone', SMALL.subarray(0, 8), 'not a PNG with one header'],
    ['a header alone', SMALL.subarray(0, 33), 'unexpected end of file'],
    ['a header that is cut', SMALL.subarray(0, 20), 'not a PNG with one header'],
    ['a wrong check sum', Buffer.concat([SMALL.subarray(0, -1), Buffer.from([0])]), 'Crc error'],
    ['pixels for fewer rows than the header says', withHeader(SMALL, 4, uint32(300)), 'the picture is not whole'],
    [
      'pixels for more rows than the header says',
      withHeader(SMALL, 4, uint32(2)),
      'Cannot create a Buffer larger than',
    ],
    ['a colour type that there is not', withHeader(SMALL, 9, [1]), 'Cannot create a Buffer larger than'],
    ['a depth that there is not', withHeader(SMALL, 8, [7]), 'Cannot create a Buffer larger than'],
    [
      'data that inflates to far more than the picture',
      withPixels(SMALL, () => deflateSync(Buffer.alloc(2 ** 28))),
      'Cannot create a Buffer larger than',
    ],
  ])('%s', (_, bytes, why) => {
    expect(() => decodePng(bytes)).toThrow(why);
  });

  it('a picture cut anywhere', () => {
    const file = uniform(1, 2, 3, 9, 9);
    for (let length = 0; length < file.length; length += 1) {
      expect(() => decodePng(file.subarray(0, length)), `cut at ${length}`).toThrow(Error);
    }
  });

  it('compressed pixels cut anywhere, with the check sum put right', () => {
    const noise = png(16, 16, (x, y) => [x * 16, y * 16, (x * y) % 251]);
    let length = 0;
    const whole = withPixels(noise, (compressed) => {
      length = compressed.length;
      return compressed;
    });
    expect(decodePng(whole).width).toBe(16);
    for (let kept = 0; kept < length; kept += 1) {
      const cut = withPixels(noise, (compressed) => compressed.subarray(0, kept));
      expect(() => decodePng(cut), `${kept} of ${length} bytes`).toThrow(Error);
    }
  });

  it('a picture with any one byte of it changed', () => {
    for (let at = 0; at < SMALL.length; at += 1) {
      const changed = Buffer.from(SMALL);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      expect(() => decodePng(changed), `changed at ${at}`).toThrow(Error);
    }
  });
});
