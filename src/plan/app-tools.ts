import type { Surface } from '../surface/surface.ts';
import type { SurfaceTraits } from '../surface/traits.ts';
import type { LoadedWorld } from '../task/suite-paths.ts';

/** Whether a surface has the tools of the app, and not those of a user of pages. */
export function hasAppTools({ tools_of: owner }: Pick<SurfaceTraits, 'tools_of'>): boolean {
  return owner === 'app_server' || owner === 'app_pages';
}

/** Returns why the app that a task is on has no tools of this surface's kind; null when it has, or when it needs none. */
export function missingTools({ toolsOf }: Surface, world: LoadedWorld, startUrl: string): string | null {
  if (toolsOf === undefined || toolsOf === 'nobody') return null;
  const sites = world.kind === 'local' ? world.sites : [];
  const site = sites.find(({ origin }) => startUrl !== 'about:blank' && new URL(startUrl).origin === origin);
  if (toolsOf === 'app_server')
    return site?.mcp === undefined ? 'the app has no MCP server; its site names none' : null;
  return site?.webmcp === undefined
    ? 'the pages of the app register no tools; its site says nothing of "webmcp"'
    : null;
}
