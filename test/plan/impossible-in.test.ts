import { expect, test } from 'vitest';
import { Entrants } from '../../src/plan/entrants.ts';
import { impossibleIn } from '../../src/plan/possible-pair.ts';

const OURS = { version: '156.0.8078.79', ours: true };
const THEIRS = { ...OURS, ours: false };

test.each([
  ['webmcp', OURS],
  ['aria', { version: '120.0.1.2', ours: false }],
  ['own', OURS],
  ['playwright-mcp', OURS],
])('%s can run in %j', async (id, browser) => {
  expect(impossibleIn(browser, (await Entrants.load()).surface(id))).toBeNull();
});

test.each([
  ['webmcp', { ...OURS, version: '155.0.1.2' }, /tried with Chromium 156 and later, and this is 155/],
  ['webmcp', THEIRS, /has to be started with --enable-features=WebMCP/],
])('%s is unavailable in %j', async (id, browser, why) => {
  const impossible = impossibleIn(browser, (await Entrants.load()).surface(id));
  expect(impossible).toEqual({ status: 'unavailable', why: expect.stringMatching(why) });
});

test.each(['playwright-mcp', 'chrome-devtools-mcp', 'puppeteer', 'stagehand', 'own'])(
  '%s attaches to a browser, so one that Touchstone did not launch is not for it',
  async (id) => {
    const impossible = impossibleIn(THEIRS, (await Entrants.load()).surface(id));
    expect(impossible).toEqual({ status: 'not_applicable', why: expect.stringContaining('attaches to a browser') });
  },
);
