import { expect, test } from 'vitest';
import { Entrants } from '../../src/campaign/entrants.ts';
import { unavailableWith } from '../../src/campaign/unavailable.ts';

const OURS = { version: '156.0.8078.79', ours: true };

test.each<[string, typeof OURS, RegExp | null]>([
  ['webmcp', OURS, null],
  ['webmcp', { ...OURS, version: '155.0.1.2' }, /tried with Chromium 156 and later, and this is 155/],
  ['webmcp', { ...OURS, ours: false }, /has to be started with --enable-features=WebMCP/],
  ['aria', { version: '120.0.1.2', ours: false }, null],
  ['own', OURS, null],
  ['own', { ...OURS, ours: false }, /leave out --browser-endpoint/],
])('whether %s can be run in %j', async (id, browser, expected) => {
  const why = unavailableWith((await Entrants.load()).surface(id), browser);
  if (expected === null) expect(why).toBeNull();
  else expect(why).toMatch(expected);
});
