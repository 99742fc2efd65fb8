import { ACTION_TIMEOUT_MS } from '../page/act.ts';
import { PageSession } from '../page/page-session.ts';
import { playwrightVersion } from '../page/playwright-words.ts';
import { NO_DIFFERENCES } from '../differences.ts';
import type { ContextSurface } from '../surface.ts';
import { AriaView } from './aria-view.ts';
import { ARIA } from './name.ts';

/** Built in: the page as its accessibility tree, every element with a reference; actions name a reference. */
export const aria = ariaSurface(ACTION_TIMEOUT_MS);

/** The surface with another patience: how long one action of the browser may take, in ms. */
export function ariaSurface(timeoutMs: number): ContextSurface {
  return {
    id: ARIA,
    needs: 'context',
    takesScript: false,
    differences: NO_DIFFERENCES,
    version: playwrightVersion(),
    interaction: 'multi-turn',
    unavailable: null,
    open: (seat) => PageSession.open(new AriaView(), seat, timeoutMs),
  };
}
