import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FILM_PICTURE } from '../../scripts/draw-film-picture.ts';
import { LIVE_PICTURE } from '../../scripts/draw-live-picture.ts';
import { PICTURE } from '../../scripts/draw-report-picture.ts';
import { TERMINAL_PICTURE } from '../../scripts/draw-terminal-picture.ts';

/** Says why a file is no WebP that costs a checkout little; null when it is one. */
function objection(picture: Buffer): string | null {
  const kind = picture.subarray(0, 4).toString('latin1') + picture.subarray(8, 12).toString('latin1');
  if (kind !== 'RIFFWEBP') return 'no WebP';
  return picture.length > 60_000 ? `${picture.length} bytes` : null;
}

test.each([
  ['a report', PICTURE],
  ['a report that follows its campaign', LIVE_PICTURE],
  ['the film of an episode', FILM_PICTURE],
  ['a run in a terminal', TERMINAL_PICTURE],
])('the picture of %s is a WebP that costs a checkout little', (_, picture) => {
  expect(objection(readFileSync(picture))).toBeNull();
});

test('a picture of another kind, or a large one, is noticed', () => {
  expect(objection(Buffer.from('\u0089PNG\r\n\u001A\n0000', 'latin1'))).toBe('no WebP');
  expect(objection(Buffer.from(`RIFF0000WEBP${'0'.repeat(60_000)}`))).toBe('60012 bytes');
});
