import { librarySurface } from '../library/library-surface.ts';
import { elementsOfPuppeteer } from './snapshot-text.ts';

/** The library Puppeteer, attached to a browser as its users attach it. */
export const puppeteer = librarySurface({
  id: 'puppeteer',
  packageName: 'puppeteer-core',
  module: import.meta.url,
  elementsIn: elementsOfPuppeteer,
});
