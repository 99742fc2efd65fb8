import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PICTURE } from '../../scripts/draw-report-picture.ts';

test('the picture of a report is a WebP that costs a checkout little', () => {
  const picture = readFileSync(PICTURE);
  expect(picture.subarray(0, 4).toString('latin1') + picture.subarray(8, 12).toString('latin1')).toBe('RIFFWEBP');
  expect(picture.length).toBeLessThanOrEqual(80_000);
});
