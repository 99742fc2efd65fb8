import { expect, test } from 'vitest';
import { Entrants } from '../../src/plan/entrants.ts';
import { unavailableWith } from '../../src/plan/unavailable.ts';

const OURS = { version: '156.0.8078.79', ours: true };

test.each([
  ['webmcp', OURS],
  ['aria', { version: '120.0.1.2', ours: false }],
  ['own', OURS],
  ['own', { ...OURS, ours: false }],
  ['playwright-mcp', { ...OURS, ours: false }],
])('%s can be run in %j', async (id, browser) => {
  expect(unavailableWith((await Entrants.load()).surface(id), browser)).toBeNull();
});

test.each([
  ['webmcp', { ...OURS, version: '155.0.1.2' }, /tried with Chromium 156 and later, and this is 155/],
  ['webmcp', { ...OURS, ours: false }, /has to be started with --enable-features=WebMCP/],
])('%s cannot be run in %j, and it is said why', async (id, browser, why) => {
  expect(unavailableWith((await Entrants.load()).surface(id), browser)).toMatch(why);
});
