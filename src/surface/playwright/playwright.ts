import { elementFor } from '../aria/element-for.ts';
import { librarySurface } from '../library/library-surface.ts';

/** The library Playwright, attached to a browser as its users attach it. */
export const playwright = librarySurface({
  id: 'playwright',
  packageName: 'playwright-core',
  module: import.meta.url,
  selectorFor: (step, shown) => {
    const element = elementFor(step, shown);
    return element === undefined ? undefined : `aria-ref=${element.ref}`;
  },
});
