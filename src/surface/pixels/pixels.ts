import { ACTION_TIMEOUT_MS } from '../page/act.ts';
import { PageSession } from '../page/page-session.ts';
import { playwrightVersion } from '../page/playwright-words.ts';
import { NO_DIFFERENCES } from '../differences.ts';
import type { ContextSurface } from '../surface.ts';
import { PixelsView } from './pixels-view.ts';

/** Built in: pictures of the viewport; mouse and keys at places in them. */
export const pixels = pixelsSurface(ACTION_TIMEOUT_MS);

/** The surface with another patience: how long one action of the browser may take, in ms. */
export function pixelsSurface(timeoutMs: number): ContextSurface {
  return {
    id: 'pixels',
    needs: 'context',
    takesScript: false,
    differences: NO_DIFFERENCES,
    showsPictures: true,
    version: playwrightVersion(),
    interaction: 'multi-turn',
    unavailable: null,
    open: (seat) => PageSession.open(new PixelsView(), seat, timeoutMs),
  };
}
