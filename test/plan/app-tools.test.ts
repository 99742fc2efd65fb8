import { describe, expect, test } from 'vitest';
import { Entrants } from '../../src/plan/entrants.ts';
import { missingTools, OF_APP_TOOLS, toolsOf } from '../../src/plan/app-tools.ts';
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

  test('is one of those that a bundle does not tell about', async () => {
    const { surfaces } = await Entrants.load();
    expect(new Set(surfaces.filter((surface) => toolsOf(surface) !== null).map(({ id }) => id))).toEqual(OF_APP_TOOLS);
  });
});
