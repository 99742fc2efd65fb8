import { appToolsDiffer } from '../traits.ts';
import type { ContextSurface } from '../surface.ts';

/** The tools of the app's own MCP server. The browser shows the start page, and is judged as ever. */
export const appMcp: ContextSurface = {
  id: 'app-mcp',
  needs: 'context',
  takesScript: false,
  toolsOf: 'app_server',
  differences: appToolsDiffer('the app’s server knows no pages'),
  version: 'as the server says when it runs',
  interaction: 'multi-turn',
  unavailable: null,
  open: async ({ toolServer, goal = '' }) => {
    if (toolServer === undefined) throw new Error('the app that the task is on has no MCP server');
    // Listing surfaces loads no client.
    const { openAppServer } = await import('./app-mcp-session.ts');
    return await openAppServer(toolServer, goal);
  },
};
