import { ACTION_TIMEOUT_MS } from '../page/act.ts';
import { PageSession } from '../page/page-session.ts';
import { playwrightVersion } from '../page/playwright-words.ts';
import { NO_DIFFERENCES } from '../differences.ts';
import type { ContextSurface } from '../surface.ts';
import { DomView } from './dom-view.ts';

/** Built in: the page as its HTML; actions name elements by CSS selectors. */
export const dom = domSurface(ACTION_TIMEOUT_MS);

/** The surface with another patience: how long one action of the browser may take, in ms. */
export function domSurface(timeoutMs: number): ContextSurface {
  return {
    id: 'dom',
    needs: 'context',
    takesScript: false,
    differences: { ...NO_DIFFERENCES, sight: ['what is hidden or out of sight stands in the HTML too'] },
    version: playwrightVersion(),
    interaction: 'multi-turn',
    unavailable: null,
    open: (seat) => PageSession.open(new DomView(), seat, timeoutMs),
  };
}
