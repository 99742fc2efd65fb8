import { expect, test, describe } from 'vitest';
import { Entrants } from '../../src/plan/entrants.ts';
import { impossibleIn, hasAppTools, missingTools } from '../../src/plan/possible-pair.ts';
import { surfacesOfApps } from '../../src/plan/surfaces-of-apps.ts';
import { traitsOf } from '../../src/surface/traits.ts';
import type { LoadedWorld } from '../../src/task/suite-paths.ts';

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
  '%s attaches to a browser, and needs one that Touchstone launched',
  async (id) => {
    const impossible = impossibleIn(THEIRS, (await Entrants.load()).surface(id));
    expect(impossible).toEqual({ status: 'not_applicable', why: expect.stringContaining('attaches to a browser') });
  },
);

const SITE = { origin: 'http://app.localhost', serves: 'app' as const, path: '/app.ts', files: [], standIn: false };
const world = (tools: object): LoadedWorld => ({ kind: 'local', sites: [{ ...SITE, ...tools }] });
const START = 'http://app.localhost/list';

describe('a surface of the app’s own tools', () => {
  test.each<[string, LoadedWorld, string, string | null]>([
    ['app-mcp', world({ mcp: '/mcp' }), START, null],
    ['app-mcp', world({ webmcp: true }), START, 'the app has no MCP server; its site names none'],
    ['app-mcp', world({ mcp: '/mcp' }), 'about:blank', 'the app has no MCP server; its site names none'],
    ['aria', world({}), START, null],
  ])('%s needs an app that has them', async (id, of, start, expected) => {
    const surface = (await Entrants.load()).surface(id);
    expect(missingTools(surface, of, start)).toBe(expected);
  });

  test('states so by its traits', async () => {
    const { surfaces } = await Entrants.load();
    const ofApps = surfaces.filter((surface) => hasAppTools(traitsOf(surface))).map(({ id }) => id);
    expect(ofApps).toEqual(['app-mcp', 'webmcp']);
    expect(surfacesOfApps()).toEqual(ofApps);
  });
});
