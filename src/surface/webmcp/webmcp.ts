import { playwrightVersion } from '../page/playwright-words.ts';
import { appToolsDiffer } from '../differences.ts';
import type { ContextSurface } from '../surface.ts';
import { WebMcpSession } from './session.ts';

/** Built in: the tools that the app's pages register by WebMCP (`document.modelContext`). */
export const webmcp: ContextSurface = {
  id: 'webmcp',
  needs: 'context',
  takesScript: false,
  toolsOf: 'app_pages',
  differences: appToolsDiffer('a tool of a page works on that page alone'),
  // The first that it was tried with.
  needsChromium: 156,
  needsStart: '--enable-features=WebMCP',
  version: playwrightVersion(),
  interaction: 'multi-turn',
  unavailable: null,
  open: (seat) => WebMcpSession.open(seat),
};
