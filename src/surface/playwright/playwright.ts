import { elementsOf } from '../../task/snapshot-text.ts';
import { librarySurface } from '../library/library-surface.ts';

/** The library Playwright, attached to a browser as its users attach it. */
export const playwright = librarySurface({
  id: 'playwright',
  packageName: 'playwright-core',
  module: import.meta.url,
  elementsIn: (snapshot) => elementsOf(snapshot).map((element) => ({ ...element, ref: `aria-ref=${element.ref}` })),
});
