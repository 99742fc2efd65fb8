import { requireBrowser } from '../../src/browser/find.ts';
import { launchBrowser, type OwnedBrowser } from '../../src/browser/launch.ts';
import type { EndpointSurface } from '../../src/surface/surface.ts';
import { sharedIdentity } from '../shared-browser.ts';
import { type Performance, stage, type Staged } from './staged-episode.ts';

type SurfaceOf = (browser: OwnedBrowser) => Promise<EndpointSurface>;

/** An episode through a tool server, in a browser of its own. */
export async function stageThrough(
  through: EndpointSurface | SurfaceOf,
  staged: Omit<Staged, 'setup'>,
): Promise<Performance> {
  const { spki } = await sharedIdentity();
  const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: spki });
  try {
    const surface = typeof through === 'function' ? await through(browser) : through;
    return await stage({ ...staged, setup: { surface, browser } });
  } finally {
    await browser.close();
  }
}
