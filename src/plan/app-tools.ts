import type { LoadedWorld } from '../task/suite-paths.ts';
import type { Surface } from '../surface/surface.ts';

/** The surfaces whose tools are the app's own. */
export const OF_APP_TOOLS: ReadonlySet<string> = new Set(['app-mcp', 'webmcp']);

/** Whose tools a surface has, where they are those of the app; null where they are those of a user of pages. */
export function toolsOf(surface: Surface): 'server' | 'page' | null {
  return (surface.needs === 'context' ? surface.toolsOf : null) ?? null;
}

/** Why the app that a task is on has no tools of this surface's kind; null when it has, or when it needs none. */
export function missingTools(surface: Surface, world: LoadedWorld, startUrl: string): string | null {
  const kind = toolsOf(surface);
  if (kind === null) return null;
  const sites = world.kind === 'local' ? world.sites : [];
  const site = sites.find(({ origin }) => startUrl !== 'about:blank' && new URL(startUrl).origin === origin);
  if (kind === 'server') return site?.mcp === undefined ? 'the app has no MCP server; its site names none' : null;
  return site?.webmcp === undefined
    ? 'the pages of the app register no tools; its site says nothing of "webmcp"'
    : null;
}
