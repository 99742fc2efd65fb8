import { librarySurface } from '../library/library-surface.ts';
import { elementsOfStagehand } from './snapshot-text.ts';

/** The library Stagehand without a model: its pages, snapshots and locators. */
export const stagehand = librarySurface({
  id: 'stagehand',
  packageName: '@browserbasehq/stagehand',
  module: import.meta.url,
  elementsIn: elementsOfStagehand,
});
