import { describe, expect, test } from 'vitest';
import { Entrants } from '../../src/plan/entrants.ts';
import { hasAppTools, missingTools } from '../../src/plan/possible-pair.ts';
import { surfacesOfApps } from '../../src/plan/surfaces-of-apps.ts';
import { traitsOf } from '../../src/surface/traits.ts';
import type { LoadedWorld } from '../../src/task/suite-paths.ts';

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

  test('says so by its traits', async () => {
    const { surfaces } = await Entrants.load();
    const ofApps = surfaces.filter((surface) => hasAppTools(traitsOf(surface))).map(({ id }) => id);
    expect(ofApps).toEqual(['app-mcp', 'webmcp']);
    expect(surfacesOfApps()).toEqual(ofApps);
  });
});
